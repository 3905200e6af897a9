/**
 * No pattern of ours takes time with the square of a text, or worse: each is looked at by `recheck`, which builds its
 * automaton. What that cannot decide (look-behind, counted repetition) is not said to be safe by this.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { check } from 'recheck'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { secretShapes } from '../../src/redaction/secret-shapes.ts'
import { repository } from '../projects/package.ts'

interface Pattern {
  readonly source: string
  readonly flags: string
}

/** Slow on long texts, and given short ones, or none of those that make them slow. */
const excused: Readonly<Record<string, string>> = {
  '/[-_]+$/': 'at most 230 bytes of a file name',
  '/^(-?)(\\d+)(?:\\.(\\d+))?(?:[eE]([+-]?)0*(\\d*))?$/': 'only what is a number: it matches at once',
  '/[^\\s]*$/': '24 characters',
  '/[\\\\/]+$/': 'a folder of this machine',
  '/^[^a-z]+|-+$/g': 'no two hyphens in a row are left',
  '/-+$/': 'no two hyphens in a row are left',
  '/ imported from .*$/': 'the first line of an error of Node',
  '/^\\.\\/|\\/+$/g': 'an option of the test',
  '/^\\s*"test"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")/m': 'the first 16 KiB of a file',
  '/^\\s*"hash"\\s*:\\s*"([0-9a-f]{64})"/m': 'the first 16 KiB of a file',
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

function literalsOf(file: string): readonly string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true))
  return found
}

async function isSlow({ source, flags }: Pattern): Promise<boolean> {
  const { status } = await check(source, flags, { checker: 'automaton', timeout: 500 })
  return status === 'vulnerable'
}

test('promise 8 the check finds a pattern that is slow', async () => {
  expect(await isSlow({ source: '(a+)+$', flags: '' })).toBe(true)
  expect(await isSlow({ source: '"(?:[^"\\\\]|\\\\.)*"', flags: '' })).toBe(true)
})

test('promise 8 no pattern in the source is slow on a text that others wrote', { timeout: 300_000 }, async () => {
  const source = join(repository, 'src')
  const patterns = new Map(
    filesBelow(source).flatMap((file) => literalsOf(file).map((text) => [text, relative(source, file)] as const)),
  )
  expect(patterns.size).toBeGreaterThan(200)
  expect(Object.keys(excused).filter((text) => !patterns.has(text))).toEqual([])
  const slow: string[] = []
  for (const [text, file] of patterns) {
    const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(text) ?? []
    if (!Object.hasOwn(excused, text) && (await isSlow({ source: body, flags }))) slow.push(`${file}: ${text}`)
  }
  expect(slow).toEqual([])
})

test('promise 8 no shape of a key is slow', { timeout: 300_000 }, async () => {
  const shapes = secretShapes.flatMap(({ kind, rest, lead }) =>
    [rest, ...(lead ? [lead] : [])].map((one) => ({ kind, one })),
  )
  const distinct = new Map(shapes.map(({ kind, one }) => [String(one), { kind, one }]))
  const slow: string[] = []
  for (const { kind, one } of distinct.values()) if (await isSlow(one)) slow.push(`${kind}: ${one}`)
  // Of those that end on `$` only the 60 letters before a beginning are looked at.
  expect(slow.filter((text) => !text.endsWith('$/'))).toEqual([])
})
