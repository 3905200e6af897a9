// @ts-check
/**
 * One process of a fuzz run: loads `fuzz-process.ts` through Vite, which is here for the tests (Node 20 cannot strip types), and
 * the corpus of real answers, which is kept outside the repository and has a loader of its own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const corpus = new URL('../../shared/corpus/', import.meta.url)

const [target = '', seed = '1', minutes = '1', inputFile = ''] = process.argv.slice(2)
/** @type {typeof import('./fuzz-process.ts')} */
const { fuzz } = (
  await runnerImport(fileURLToPath(new URL('fuzz-process.ts', import.meta.url)), {
    root,
    configFile: false,
    logLevel: 'error',
  })
).module
await fuzz({ target, seed: Number(seed), minutes: Number(minutes), inputFile, answers: await loadAnswers() })
process.disconnect?.()

/** Some of each file, the same every time. */
async function loadAnswers() {
  if (!existsSync(corpus)) return []
  const { loadFile } = await import(new URL('serve.mjs', corpus).href)
  /** @type {{ file: string }[]} */
  const index = JSON.parse(readFileSync(new URL('INDEX.json', corpus), 'utf8'))
  /** @type {Uint8Array[]} */
  const answers = []
  for (const { file } of index.filter(({ file }) => file.startsWith('http/'))) {
    /** @type {{ body: Uint8Array, encoded: boolean }[]} */
    const exchanges = await loadFile(fileURLToPath(new URL(file.split('/').map(encodeURIComponent).join('/'), corpus)))
    answers.push(
      ...exchanges.filter(({ encoded }, at) => !encoded && at % 4 === 0).map(({ body }) => Uint8Array.from(body)),
    )
  }
  return answers
}
