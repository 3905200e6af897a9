/** What git shows as changed between two texts, and of which interaction of a cassette each line is. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface DiffLine {
  readonly sign: '+' | '-'
  /** The number of the interaction that the line is of; `header` for one above them. */
  readonly of: number | 'header'
  readonly text: string
}

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const folder = mkdtempSync(join(tmpdir(), 'diff-'))
  try {
    const files = [join(folder, 'before'), join(folder, 'after')] as const
    writeFileSync(files[0], before)
    writeFileSync(files[1], after)
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--unified=0', '--no-color', ...files], {
      encoding: 'utf8',
    })
    return readHunks(stdout, { '-': before.split('\n'), '+': after.split('\n') })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readHunks(diff: string, texts: Readonly<Record<'+' | '-', readonly string[]>>): readonly DiffLine[] {
  const found: DiffLine[] = []
  for (const hunk of diff.matchAll(/^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@.*\n((?:[+-].*\n?)*)/gm)) {
    const next = { '-': Number(hunk[1]), '+': Number(hunk[2]) }
    for (const line of (hunk[3] ?? '').split('\n').filter((text) => text !== '')) {
      const sign = line[0] as '+' | '-'
      found.push({ sign, of: interactionAt(texts[sign], next[sign]), text: line.slice(1) })
      next[sign] += 1
    }
  }
  return found
}

/** `line` counts from 1. A block opens with a bracket of its own line. */
function interactionAt(lines: readonly string[], line: number): number | 'header' {
  const from = lines[line - 1] === '    {' ? line + 1 : line
  const opened = lines.slice(0, from).findLast((text) => text.startsWith('      "number": '))
  return opened === undefined ? 'header' : Number(/\d+/.exec(opened)?.[0])
}
