/** What was released is never edited (F18). The digests in `frozen.json` are of texts with line feeds. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { maxOddNumbers } from '../../src/core/cassette/find-layout.ts'
import { maxTailLength } from '../../src/core/cassette/json-layout.ts'
import { maxValueDepth } from '../../src/core/cassette/json-text.ts'
import { maxEdits, maxLikeDepth } from '../../src/core/cassette/pack-request.ts'
import { maxEvents } from '../../src/core/cassette/packed-document.ts'
import * as limits from '../../src/core/cassette/versions/v1/limits.ts'
import { readFormats } from './format-files.ts'

const root = new URL('../../', import.meta.url)

const instead = `a released version of the cassette format was changed, and cassettes of it exist: put the file back.
To change the format: make a version of its own beside it, with a step that lifts files of the one before, and let that be
the one that is written. To add to it: a feature that \`requires\` names. To add a vector or a file: add its line to
test/formats/frozen.json. The way is in docs/decisions/0010-version-1-of-the-format.md.`

function digestOf(path: string): string {
  const text = readFileSync(new URL(path, root)).toString('latin1').replaceAll('\r\n', '\n')
  return createHash('sha256').update(text, 'latin1').digest('hex')
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.replaceAll('\\', '/').replace(/\/?$/, '/')}${entry.name}`)
    .map((path) => path.slice(path.indexOf(folder)))
    .sort()
}

const frozen = readFormats<Readonly<Record<string, string>>>('frozen.json')

test('F18 what decides how a file of a released version is read, verified and found is what it was', () => {
  const found = Object.fromEntries(Object.keys(frozen).map((path) => [path, digestOf(path)]))
  expect(found, instead).toEqual(frozen)
})

test('F18 every file of a released version is frozen', () => {
  const vectors = ['path', 'request-hash', 'rfc8785'].map((name) => `test/formats/${name}-vectors.json`)
  const all = [...['schema/', 'src/core/cassette/versions/v1/', 'test/formats/v1/'].flatMap(filesBelow), ...vectors]
  expect(Object.keys(frozen).sort(), instead).toEqual(all.sort())
})

test('F9 F11 F20 what is written keeps to the limits that version 1 reads', () => {
  expect(maxEvents).toBeLessThanOrEqual(limits.maxEvents)
  expect(maxLikeDepth).toBeLessThanOrEqual(limits.maxLikeDepth)
  expect(maxEdits).toBeLessThanOrEqual(limits.maxEdits)
  expect(maxTailLength).toBeLessThanOrEqual(limits.maxTailLength)
  expect(maxOddNumbers).toBeLessThanOrEqual(limits.maxOddNumbers)
  expect(maxValueDepth).toBeLessThanOrEqual(limits.maxPointerSteps)
})
