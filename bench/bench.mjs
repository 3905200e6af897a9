// What every row is measured with: processes of their own, in rounds that change their order, within a bound of time.
import { execFile } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spread } from './statistics.mjs'

/** @typedef {import('./run.mjs').PeerFigure} PeerFigure @typedef {import('./statistics.mjs').Spread} Spread */
/** @typedef {Map<string, { values: number[], answers: any[], failed?: string }>} Rounds */

const childMs = 180_000
/** So many each of our own subjects has, however long its peers take. */
const ownRounds = 5

export class Bench {
  /** @param {{ rounds: number, quick: boolean, oursOnly: boolean, folder: string }} options `folder`: for all that is written */
  constructor({ rounds, quick, oursOnly, folder }) {
    this.rounds = rounds
    this.quick = quick
    this.oursOnly = oursOnly
    this.folder = folder
  }

  /** @param {readonly string[]} names */
  peers(names) {
    return this.oursOnly ? [] : names
  }

  /** An empty package of its own, removed with the rest. */
  newFolder() {
    const folder = mkdtempSync(path.join(this.folder, 'own-'))
    writeFileSync(path.join(folder, 'package.json'), '{ "name": "bench", "type": "module" }\n')
    return folder
  }

  /** The answer of one script of `measure` in a process of its own. @param {string} script @param {object} ask @returns {Promise<any>} */
  async child(script, ask) {
    const file = fileURLToPath(new URL(`measure/${script}.mjs`, import.meta.url))
    const args = ['--expose-gc', '--no-warnings', file, JSON.stringify({ folder: this.newFolder(), ...ask })]
    const env = { ...process.env, CI: undefined, TURNTAPE_MODE: 'auto' }
    const bounds = { timeout: childMs, maxBuffer: 64 * 1024 * 1024 }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, ...bounds })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  }

  /**
   * Where the time of a figure goes, in its unit: one process more, under a profiler.
   * @param {string} script @param {object} ask @param {Spread | { failed: string }} figure @returns {Promise<{ profile?: import('./run.mjs').Profiled }>}
   */
  async partsOf(script, ask, figure) {
    if (this.oursOnly || 'failed' in figure) return {}
    const { parts } = await this.child(script, { ...ask, profile: true })
    return { profile: profileOf(parts, figure.median) }
  }

  /**
   * One value a subject and round, each round beginning with another subject. After `seconds` no further round begins for a peer, and
   * for one of our own only up to its fifth: slow peers take their own rounds away, not ours. Everyone has at least one.
   * @param {{ own: readonly string[], peers?: readonly string[], seconds: number, measure: (subject: string, round: number) => Promise<any>, figureIn: (answer: any) => number }} what
   * @returns {Promise<Rounds>}
   */
  async inRounds({ own, peers = [], seconds, measure, figureIn }) {
    const subjects = [...own, ...peers]
    /** @type {Rounds} */
    const rounds = new Map(subjects.map((subject) => [subject, { values: [], answers: [] }]))
    const start = performance.now()
    for (let round = 0; round < this.rounds; round++) {
      for (const at of subjects.keys()) {
        const subject = subjects[(at + round) % subjects.length] ?? ''
        const state = rounds.get(subject)
        if (state === undefined || state.failed !== undefined) continue
        const spent = (performance.now() - start) / 1000
        const isOver = spent > (this.quick ? seconds / 3 : seconds)
        if (isOver && round >= (own.includes(subject) ? ownRounds : 1)) continue
        try {
          const answer = await measure(subject, round)
          state.answers.push(answer)
          state.values.push(figureIn(answer))
        } catch (error) {
          state.failed = reasonOf(error)
          console.error(`${subject}: ${state.failed}`)
        }
      }
    }
    return rounds
  }
}

/**
 * The eight largest parts, and how much the others are together.
 * @param {readonly import('./measure/profile.mjs').Part[]} parts @param {number} whole @returns {import('./run.mjs').Profiled}
 */
export function profileOf(parts, whole) {
  const amountOf = (/** @type {number} */ share) => Number((share * whole).toPrecision(2))
  const others = parts.slice(8)
  const rest = { name: `${others.length} others`, share: others.reduce((sum, { share }) => sum + share, 0) }
  const named = [...parts.slice(0, 8), ...(others.length === 0 ? [] : [rest])]
  return { of: whole, parts: named.map(({ name, share }) => ({ name, amount: amountOf(share) })) }
}

/** @param {Rounds} rounds @param {string} subject @returns {Spread | { failed: string }} */
export function figureOf(rounds, subject) {
  const { values, failed } = rounds.get(subject) ?? { values: [], failed: 'not measured' }
  return values.length === 0 ? { failed: failed ?? 'not measured' } : spread(values)
}

/** @param {Rounds} rounds @param {readonly string[]} names @returns {PeerFigure[]} */
export function peerFigures(rounds, names) {
  return names.map((name) => {
    const figure = figureOf(rounds, name)
    return 'failed' in figure ? { name, ...figure } : { name, spread: figure }
  })
}

/** @param {Spread | { failed: string }} figure @param {number} bound */
export function isWithin(figure, bound) {
  return !('failed' in figure) && figure.median <= bound
}

/** The line that says what went wrong, without places of this machine. @param {unknown} error */
function reasonOf(error) {
  const { killed, stderr = '' } = /** @type {{ killed?: boolean, stderr?: string }} */ (error)
  if (killed) return `no end within ${childMs / 1000} s`
  const lines = `${stderr}\n${error}`.split('\n').map((line) => line.trim())
  const line =
    lines.find((line) => /^(?:\w*Error|\w+ \[\w+\])\b.*:/.test(line)) ?? lines.find((line) => line !== '') ?? ''
  return line.replaceAll(/(?:file:\/\/)?\/[\w./-]+/g, '…').slice(0, 160)
}
