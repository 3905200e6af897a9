// @ts-check
/**
 * Writes `docs/cassette-sizes.md`; with `--print` shows three streams as they stand in the file instead. By hand, not by `npm run docs`: it needs the corpus, which is kept outside the
 * repository. The renderer is TypeScript and imports the sources themselves; Vite loads it (Node 20 cannot strip types).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'
import { stringify } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const corpus = new URL('../../shared/corpus/', import.meta.url)
/** @type {typeof import('./docs/cassette-sizes.ts')} */
const { cassetteSizes, printedStreams } = (
  await runnerImport(path.join(root, 'scripts/docs/cassette-sizes.ts'), { root, configFile: false, logLevel: 'error' })
).module

const yamlBytes = (/** @type {object} */ value) => Buffer.byteLength(stringify(value))
const exchanges = await loadExchanges()
if (process.argv.includes('--print')) {
  console.log(printedStreams(exchanges))
} else {
  writeFileSync(path.join(root, 'docs/cassette-sizes.md'), cassetteSizes({ exchanges, yamlBytes }))
  console.log('wrote docs/cassette-sizes.md')
}

/** @returns {Promise<import('../test/cassette/corpus-streams.ts').FiledExchange[]>} */
async function loadExchanges() {
  const { loadFile } = await import(new URL('serve.mjs', corpus).href)
  /** @type {{ file: string }[]} */
  const index = JSON.parse(readFileSync(new URL('INDEX.json', corpus), 'utf8'))
  const all = []
  for (const { file } of index.filter(({ file }) => file.startsWith('http/'))) {
    const url = new URL(file.split('/').map(encodeURIComponent).join('/'), corpus)
    for (const [position, exchange] of (await loadFile(fileURLToPath(url))).entries())
      all.push({ file, position, exchange })
  }
  return all
}
