// @ts-check
/**
 * `npm run fuzz -- --minutes 10`: every target for so long, two processes at a time. `--target read-json` fuzzes one (it may stand
 * several times), `--seed 7` repeats a run. What is found is kept in `fuzz/found/<target>/`, where the tests replay it for ever.
 * Exits with 1 where something was found: a broken promise, a crash, a hang, or more memory than a process is given.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const names = ['read-json', 'read-cassette', 'show-cassette', 'store-body', 'read-answer', 'redact', 'names-and-urls']

/** A net, no measure: the slowest input takes a small part of it on the slowest machine. */
const mostSeconds = 30
const heapMegabytes = 512

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    target: { type: 'string', multiple: true, default: names },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    workers: { type: 'string', default: '2' },
  },
})
const unknown = values.target.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`no such target: ${unknown.join(', ')}\nthere are: ${names.join(', ')}`)
  process.exit(2)
}

const temporary = mkdtempSync(join(tmpdir(), 'turntape-fuzz-'))
const queue = [...values.target]
let findings = 0
console.log(`${values.minutes} min a target, seed ${values.seed}: ${queue.join(', ')}`)
await Promise.all(Array.from({ length: Number(values.workers) }, runQueue))
rmSync(temporary, { recursive: true, force: true })
console.log(findings === 0 ? 'nothing found' : `${findings} found, kept in fuzz/found`)
process.exitCode = findings === 0 ? 0 : 1

async function runQueue() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) await runTarget(name)
}

/** @param {string} name */
function runTarget(name) {
  const inputFile = join(temporary, name)
  const worker = fork(
    fileURLToPath(new URL('worker.mjs', import.meta.url)),
    [name, values.seed, values.minutes, inputFile],
    {
      execArgv: [`--max-old-space-size=${heapMegabytes}`],
    },
  )
  /** @type {Set<string>} */
  const seen = new Set()
  let [checked, isDone] = [0, false]
  /** @type {string | undefined} */
  let ended
  let heard = performance.now()
  const watch = setInterval(() => {
    if (performance.now() - heard < mostSeconds * 1000) return
    ended = `it takes more than ${mostSeconds} s`
    worker.kill('SIGKILL')
  }, 1000)
  worker.on('message', (/** @type {import('./fuzz-process.ts').FuzzMessage} */ message) => {
    heard = performance.now()
    if ('checked' in message) {
      checked = message.checked
      isDone ||= message.done === true
      return
    }
    // One input for each kind of fault is enough.
    const kind = message.what.split('\n').slice(0, 3).join('\n').replaceAll(/\d+/g, '0')
    if (!seen.has(kind)) keep(name, Buffer.from(message.found, 'base64'), message.what)
    seen.add(kind)
  })
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      worker.on('exit', (code, signal) => {
        clearInterval(watch)
        if (!isDone) keep(name, inputOf(inputFile), ended ?? `the process ended with ${signal ?? code}`)
        console.log(`${name}: ${checked} inputs, ${seen.size + (isDone ? 0 : 1)} found`)
        resolve()
      })
    })
  )
}

/** Empty where the process did not come so far. @param {string} file */
function inputOf(file) {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}

/** @param {string} name @param {Uint8Array} input @param {string} what */
function keep(name, input, what) {
  findings += 1
  const folder = fileURLToPath(new URL(`found/${name}/`, import.meta.url))
  const file = `${createHash('sha256').update(input).digest('hex').slice(0, 12)}.bin`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), input)
  console.log(
    `${name}: fuzz/found/${name}/${file} (${input.length} bytes)\n  ${what.split('\n').slice(0, 12).join('\n  ')}`,
  )
}
