/**
 * What the commands print. Owns the two streams: every text is made printable and redacted here, whatever a command
 * took it from; colours only where standard output is a terminal.
 */
import { homedir, tmpdir } from 'node:os'
import pc from 'picocolors'
import { printable } from '../errors/printable.ts'
import { createConcealer } from '../redaction/concealer.ts'
import { createRedactor } from '../redaction/redactor.ts'
import { machineFacts } from './machine-facts.ts'

export interface Output {
  /** One line on standard output. */
  line(text?: string): void
  /** Each line of a text on standard error. */
  problem(text: string): void
  /** JSON on standard output, indented; what a terminal would act on is escaped. */
  json(value: unknown): void
  readonly paint: Paint
}

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
}

/** `env`: whose secrets are not printed either, though no cassette may hold them: an old one might. */
export function createOutput(root: string, env: NodeJS.ProcessEnv): Output {
  const redactor = createRedactor({ project: root, home: homedir(), temporary: [tmpdir()] })
  const concealer = createConcealer(machineFacts(env))
  const redacted = (text: string): string => redactor.text(concealer.values(text))
  const clean = (text: string): string => redacted(printable(text))
  // Redacted before it is painted: a colour code would hide where a word begins.
  const painted = (colour: (text: string) => string) => (text: string) => colour(clean(text))
  const { bold, dim, red, green, yellow } = pc.createColors(process.stdout.isTTY === true && pc.isColorSupported)
  return {
    line: (text = '') => print(process.stdout, mapBetweenColours(text, clean)),
    problem: (text) => {
      for (const line of text.split('\n')) print(process.stderr, clean(line))
    },
    json: (value) => print(process.stdout, redacted(JSON.stringify(value, undefined, 2).replace(invisible, escaped))),
    paint: {
      bold: painted(bold),
      dim: painted(dim),
      red: painted(red),
      green: painted(green),
      yellow: painted(yellow),
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that picocolors writes begin with one
const colourCode = /(\u001b\[\d{1,2}m)/

function mapBetweenColours(text: string, map: (text: string) => string): string {
  return text
    .split(colourCode)
    .map((piece, index) => (index % 2 === 1 ? piece : map(piece)))
    .join('')
}

const invisible = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}]/gu

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  }).join('')
}

function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(`${text}\n`)
}
