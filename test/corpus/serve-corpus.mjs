// @ts-check
/**
 * The corpus's live provider as a child process, so that its ports are not the test's own: one server a group of files,
 * `node serve-corpus.mjs '{"corpus":"file:///…/","groups":[{"files":["http/…"],"options":{"split":7}}]}'`.
 * Prints the URLs as one JSON line and stops when its standard input ends.
 */
import { fileURLToPath } from 'node:url'

const { corpus, groups } = JSON.parse(process.argv[2] ?? '{}')
const { startServer } = await import(new URL('serve.mjs', corpus).href)

/** @param {{ readonly files: readonly string[], readonly options: object }} group */
const start = ({ files, options }) =>
  startServer(
    files.map((file) => fileURLToPath(new URL(encodePath(file), corpus))),
    options,
  )

const urls = []
for (const group of groups) urls.push((await start(group)).url)
console.log(JSON.stringify(urls))

process.stdin.resume()
process.stdin.on('end', () => process.exit(0))

/** @param {string} file */
function encodePath(file) {
  return file.split('/').map(encodeURIComponent).join('/')
}
