import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtIn, commonJs, modules } from '../../tsup.config.ts'
import { eachImport, importCycles, levelViolations, packageOf, specifierViolations } from './import-rules.ts'
import { folderOf, levelOf, levels } from './level-table.ts'
import { parseSource, projectRoot, readSources } from './source-file.ts'

const files = readSources('src')
const packageJson = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'))
const peers = Object.keys(packageJson.peerDependencies)

describe('the levels of src', () => {
  test('every import goes downwards, type-only ones too', () => {
    expect(files.length).toBeGreaterThan(0)
    expect(levelViolations(files)).toEqual([])
  })

  test('no imports go in a circle, neither between files nor between folders', () => {
    expect(importCycles(files)).toEqual([])
  })

  test('relative imports name a file with its .ts', () => {
    expect(specifierViolations(files)).toEqual([])
  })

  test('every folder has a level', () => {
    expect(files.filter((file) => levelOf(folderOf(file.path)) === undefined).map((file) => file.path)).toEqual([])
  })

  test('the level table names no folder twice', () => {
    const folders = levels.flatMap((level) => level.folders)
    expect(new Set(folders).size).toBe(folders.length)
  })
})

describe('packages', () => {
  test('what is built in is nobody’s dependency, and its licence is published word for word', () => {
    expect(packageJson.files).toContain('THIRD-PARTY-LICENSES.md')
    const published = readFileSync(path.join(projectRoot, 'THIRD-PARTY-LICENSES.md'), 'utf8').replaceAll(/^> ?/gm, '')
    for (const name of builtIn) {
      expect(packageJson.dependencies).not.toHaveProperty(name)
      const folder = path.join(projectRoot, 'node_modules', name)
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
      expect(published).toContain(`## ${name}\n\n${readFileSync(path.join(folder, file ?? 'LICENSE'), 'utf8').trim()}`)
    }
  })

  test('src imports runtime dependencies, peers and what is built in only, type-only imports too', () => {
    const allowed = new Set([...Object.keys(packageJson.dependencies), ...peers, ...builtIn])
    const others = eachImport(files).filter(({ imported }) => {
      const name = packageOf(imported.specifier)
      return name !== undefined && !allowed.has(name)
    })
    expect(others.map(({ file, imported }) => `${file.path}:${imported.line} imports ${imported.specifier}`)).toEqual(
      [],
    )
  })

  test.each(peers)('%s is imported from one folder only', (peer) => {
    const importing = eachImport(files).filter(({ imported }) => packageOf(imported.specifier) === peer)
    expect(new Set(importing.map(({ file }) => folderOf(file.path))).size).toBeLessThanOrEqual(1)
  })
})

describe('file names', () => {
  test('no file or folder is a place for anything: utils, helpers, common, types', () => {
    const vague = files.filter((file) => /\/(utils?|helpers?|common|types|misc|shared)(\/|\.ts$)/.test(file.path))
    expect(vague.map((file) => file.path)).toEqual([])
  })

  test('index.ts is a published entry', () => {
    const published: readonly string[] = [...Object.values(modules.entry), ...Object.values(commonJs.entry)]
    const others = files.filter((file) => file.path.endsWith('/index.ts') && !published.includes(file.path))
    expect(others.map((file) => file.path)).toEqual([])
  })
})

describe('the rules see what they are for', () => {
  const source = (filePath: string, text: string) => parseSource({ path: filePath, text })
  const store = source('src/store/cassette-store.ts', "import type { Wire } from '../wire/wire.ts'")

  test.each([
    ['sideways', store, 'src/store/cassette-store.ts:1 imports src/wire/wire.ts: level 2 imports level 2'],
    ['upwards', source('src/errors/codes.ts', "export * from '../core/turns/turn.ts'"), 'level 0 imports level 1'],
    ['upwards, by import()', source('src/session/a.ts', "void import('../cli/index.ts')"), 'level 4 imports level 5'],
    ['upwards, by a type', source('src/wire/a.ts', "type A = import('../session/b.ts').B"), 'level 2 imports level 4'],
    ['between runners', source('src/runners/vitest/a.ts', "import '../jest/b.ts'"), 'level 5 imports level 5'],
    ['out of src', source('src/cli/index.ts', "import '../../test/cli/a.ts'"), 'outside src'],
    ['from an unknown folder', source('src/misc/a.ts', "import '../errors/codes.ts'"), 'no level is set for misc'],
  ])('an import that goes %s', (_, file, violation) => {
    expect(levelViolations([file])).toEqual([expect.stringContaining(violation)])
  })

  test('a downward import, and one between folders of core, are no violations', () => {
    const session = source('src/session/a.ts', "import { b } from '../core/turns/b.ts'")
    const turns = source('src/core/turns/b.ts', "import type { Cassette } from '../cassette/document.ts'")
    expect(levelViolations([session, turns])).toEqual([])
  })

  test('a circle of files, and a circle of core folders without one of files', () => {
    const a = source('src/core/turns/a.ts', "import type { B } from '../matching/b.ts'")
    const b = source('src/core/matching/b.ts', "import { A } from '../turns/a.ts'")
    const c = source('src/core/matching/c.ts', "import { A } from '../turns/d.ts'")
    expect(importCycles([a, b])).toEqual([
      'src/core/turns/a.ts → src/core/matching/b.ts → src/core/turns/a.ts',
      'core/turns → core/matching → core/turns',
    ])
    expect(importCycles([a, c])).toEqual(['core/turns → core/matching → core/turns'])
  })

  test('an import without .ts, of a missing file, or through an alias', () => {
    const text =
      "import '../errors/codes'\nimport './gone.ts'\nimport '#core/turn.ts'\nimport 'node:path'\nimport '@a/b'"
    expect(specifierViolations([source('src/session/a.ts', text)])).toEqual([
      'src/session/a.ts:1 imports ../errors/codes: without .ts',
      'src/session/a.ts:2 imports ./gone.ts: there is no such file',
      'src/session/a.ts:3 imports #core/turn.ts: an alias',
    ])
  })
})
