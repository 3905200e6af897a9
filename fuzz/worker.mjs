// @ts-check
/** One process of a fuzz run: `worker.ts`, through Vite, which is here for the tests (Node 20 cannot strip types). */
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
await runnerImport(fileURLToPath(new URL('worker.ts', import.meta.url)), { root, configFile: false, logLevel: 'error' })
