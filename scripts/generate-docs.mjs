// @ts-check
/**
 * Writes the generated documents and regions (`scripts/docs/generated-documents.ts` lists them); `--check` writes nothing
 * and exits 1 where one is out of date. The renderers are TypeScript and import the sources themselves, so that types and
 * unused exports are checked through them; Vite, already here for the tests, loads them (Node 20 cannot strip types).
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

/** @typedef {import('./docs/generated-documents.ts')} Documents */
/** @typedef {Documents['generatedDocuments'][number]} GeneratedDocument */

const root = fileURLToPath(new URL('..', import.meta.url))
const onlyCheck = process.argv.includes('--check')

const loaded = await runnerImport(path.join(root, 'scripts/docs/generated-documents.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
})
const { generatedDocuments } = /** @type {Documents} */ (loaded.module)
for (const document of generatedDocuments) update(document)

/** @param {GeneratedDocument} document */
function update(document) {
  const file = path.join(root, document.file)
  const present = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const wanted = document.region === undefined ? document.render() : withRegion(present, document)
  if (wanted === undefined) return fail(`${document.file} has no region \`<!-- generated:${document.region} -->\``)
  if (wanted === present) return
  if (onlyCheck) return fail(`${document.file} is out of date: run \`npm run docs\``)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, wanted)
  console.log(`wrote ${document.file}`)
}

/** @param {string} text @param {GeneratedDocument} document */
function withRegion(text, { region, render }) {
  const opening = `<!-- generated:${region} -->`
  const start = text.indexOf(opening)
  const end = text.indexOf('<!-- /generated -->', start)
  if (start < 0 || end < 0) return undefined
  return `${text.slice(0, start)}${opening}\n\n${render().trim()}\n\n${text.slice(end)}`
}

/** @param {string} problem */
function fail(problem) {
  console.error(problem)
  process.exitCode = 1
}
