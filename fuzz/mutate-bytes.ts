import type { Random } from './random.ts'

/** Bytes that parsers, terminals and matchers have stumbled over. */
const oddPieces: readonly Uint8Array[] = [
  ...['\u0000', '\u001b[2J', '\u202e', '\ufeff', '\u2028', '\r', '\r\n', '\n\n', '"', '\\', '\\u0000', '\\ud800', '…'],
  ...['{', '}', '[', ']', ',', ':', 'null', '-0', '1e400', '9007199254740993', '0.1000000000000000055', '1E1', '""'],
  ...['"__proto__":1,', '"constructor":', '../', 'data: ', 'event: ', 'data:[DONE]\n\n', '<<<<<<< HEAD\n', '\u{1f6eb}'],
  ...['sk-proj-abcdefghijklmnopqrstuvwxyz012345', 'Bearer ', 'password=', '/home/someone/', '%2e%2e%2f', '&#x41;'],
].map((text) => new TextEncoder().encode(text))

const oddBytes = [
  0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0xed, 0xf0, 0xf5, 0xff, 0x22, 0x5c, 0x0a, 0x0d, 0x20,
] as const

/** The bytes with one to eight changes: flipped, put in, taken out, doubled, moved, or crossed with another input. */
export function mutateBytes(bytes: Uint8Array, { random, others }: MutationContext): Uint8Array {
  let changed = bytes
  for (let count = 1 + random.below(random.pick([1, 2, 8])); count > 0; count -= 1) {
    changed = mutateOnce(changed, { random, others })
  }
  return changed.subarray(0, mostBytes)
}

export interface MutationContext {
  readonly random: Random
  /** To take pieces from. */
  readonly others: readonly Uint8Array[]
}

/** Inputs do not grow beyond this: many small ones find more than few large ones. */
const mostBytes = 65_536

function mutateOnce(bytes: Uint8Array, { random, others }: MutationContext): Uint8Array {
  const at = random.below(bytes.length + 1)
  const length = random.below(Math.min(bytes.length - at, random.pick([1, 4, 64, 1024])) + 1)
  const piece = bytes.subarray(at, at + length)
  switch (random.below(8)) {
    case 0:
      return splice(bytes, { at, remove: length, insert: [] })
    case 1:
      return splice(bytes, { at, remove: 0, insert: random.pick(oddPieces) })
    case 2:
      return splice(bytes, { at, remove: 1, insert: [random.pick(oddBytes)] })
    case 3:
      return splice(bytes, { at, remove: 1, insert: [(bytes[at] ?? 0) ^ (1 << random.below(8))] })
    case 4:
      return splice(bytes, { at: random.below(bytes.length + 1), remove: 0, insert: piece })
    case 5: {
      const repeated = Array.from({ length: 1 + random.below(40) }, () => [...piece.subarray(0, 64)]).flat()
      return splice(bytes, { at, remove: 0, insert: repeated })
    }
    case 6:
      return bytes.subarray(0, at)
    default: {
      const other = random.pick(others) ?? bytes
      const from = random.below(other.length + 1)
      return splice(bytes, { at, remove: length, insert: other.subarray(from, from + random.below(256)) })
    }
  }
}

interface Splice {
  readonly at: number
  readonly remove: number
  readonly insert: ArrayLike<number>
}

function splice(bytes: Uint8Array, { at, remove, insert }: Splice): Uint8Array {
  const rest = bytes.subarray(at + remove)
  const spliced = new Uint8Array(at + insert.length + rest.length)
  spliced.set(bytes.subarray(0, at))
  spliced.set(insert, at)
  spliced.set(rest, at + insert.length)
  return spliced
}
