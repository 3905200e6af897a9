/** Made-up secrets, the same ones in every run: none was ever a key, and none stands here whole. */
import { secretShapes } from '../../../src/redaction/secret-shapes.ts'

export interface PlantedSecret {
  /** What must be in no file and no output. */
  readonly secret: string
  /** The text in which it stands. */
  readonly text: string
}

export interface PlantedKind {
  readonly name: string
  /** `scan`: nothing may rewrite it (F15), so that it refuses wherever it stands. */
  readonly found: 'by shape' | 'by pattern' | 'by the scan'
  readonly secrets: readonly PlantedSecret[]
}

const secretsOfKind = 11
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789'

/** A small generator (mulberry32): equal seeds, equal secrets. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const random = randomOf(7)

function run(length: number, alphabet = letters): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
}

function kind(name: string, make: () => PlantedSecret, found: PlantedKind['found'] = 'by shape'): PlantedKind {
  return { name, found, secrets: Array.from({ length: secretsOfKind }, make) }
}

/** A key that begins as the shape of this kind does. A digit is among its letters, as in every key. */
function shaped(shape: string, length: number, alphabet?: string): PlantedKind {
  const start = secretShapes.find((candidate) => candidate.kind === shape)?.starts.at(-1)
  if (start === undefined) throw new TypeError(`no shape ${shape}`)
  return kind(shape, () => {
    const secret = `${start}${run(length - 1, alphabet)}7`
    return { secret, text: secret }
  })
}

function around(before: string, length: number, after = ''): () => PlantedSecret {
  return () => {
    const secret = `${run(length - 1)}7`
    return { secret, text: before + secret + after }
  }
}

const hex = '0123456789abcdef'

export const userName = `vera${'quist'}`
export const hostName = `veras-${'thinkbook'}`

let variables = 0

/** The environment of the run: `SHOP_SECRET_1` and so on. */
export const environment: Record<string, string> = {}

function environmentValue(): PlantedSecret {
  variables += 1
  const secret = `${run(6)} ${run(5)}/${run(4)}+"é`
  environment[`SHOP_SECRET_${variables}`] = secret
  return { secret, text: secret }
}

function employeeNumber(): PlantedSecret {
  const secret = `emp-1${run(8, '0123456789')}`
  return { secret, text: secret }
}

function jsonWebToken(): PlantedSecret {
  const secret = `eyJ${run(30)}.eyJ${run(40)}.${run(30)}`
  return { secret, text: secret }
}

function privateKey(): PlantedSecret {
  const lines = [run(64), run(64), run(40)]
  const words = ['RSA', 'PRIVATE', 'KEY'].join(' ')
  return { secret: lines[1] as string, text: `-----BEGIN ${words}-----\n${lines.join('\n')}\n-----END ${words}-----` }
}

/** More than 20 kinds, more than 200 secrets. */
export const plantedKinds: readonly PlantedKind[] = [
  shaped('openai-key', 48),
  shaped('anthropic-key', 95),
  shaped('google-key', 40),
  shaped('aws-access-key-id', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'),
  shaped('github-token', 36),
  shaped('gitlab-token', 20),
  shaped('slack-token', 40),
  shaped('stripe-key', 32),
  shaped('huggingface-token', 34),
  shaped('groq-key', 52),
  shaped('digitalocean-token', 64, hex),
  kind('json web token', jsonWebToken),
  kind('private key', privateKey),
  kind('bearer token', around('Bearer ', 40)),
  kind('password of a URL', around('postgres://shop:', 20, '@db.test/shop')),
  kind('signed URL', around('https://files.test/a.png?sv=2&sig=', 30)),
  kind('assignment', around('DB_PASSWORD=', 24)),
  kind('your own pattern', employeeNumber, 'by pattern'),
  kind('environment value', environmentValue, 'by the scan'),
  { name: 'user name', found: 'by the scan', secrets: [{ secret: userName, text: `/srv/${userName}/notes` }] },
  { name: 'host name', found: 'by the scan', secrets: [{ secret: hostName, text: `on ${hostName} now` }] },
]
