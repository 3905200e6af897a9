/** Undoes content encodings for an observer (F7), chunk by chunk, while the encoded bytes pass on to the caller untouched. */
import { type Duplex, pipeline } from 'node:stream'
import { setImmediate } from 'node:timers'
import zlib, { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

// Bound here: a test's fake timers replace what modules export later on.
const afterThisTask = setImmediate

export interface ContentDecoder {
  write(bytes: Uint8Array): void
  /** Settles when what was written has come out, as far as it makes whole bytes. */
  written(): Promise<void>
  /** No more bytes. `onDone` follows when all that was written came out. */
  end(): void
}

interface DecoderSetup {
  /** The value of the `content-encoding` header. */
  readonly encoding: string
  readonly onBytes: (bytes: Uint8Array) => void
  /** Once, after the last bytes. With an error where the data is not what the header says. */
  readonly onDone: (error: unknown) => void
}

/** Undefined: nothing to undo, or an encoding that this Node does not know; `fetch` leaves such a body as it is, too. */
export function contentDecoder({ encoding, onBytes, onDone }: DecoderSetup): ContentDecoder | undefined {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0 || !codings.every((coding) => decoders.has(coding))) return undefined
  let input: Duplex | undefined
  let written: Promise<void> = Promise.resolve()
  const start = (first: Uint8Array | undefined): Duplex => {
    const stages = codings.reverse().map((coding) => (decoders.get(coding) as DecoderFactory)(first))
    const last = stages.at(-1) as Duplex
    last.on('data', onBytes)
    if (stages.length > 1) pipeline(stages, onDone)
    else last.once('end', () => onDone(undefined)).once('error', onDone)
    return stages[0] as Duplex
  }
  return {
    write(bytes) {
      input ??= start(bytes)
      const stage = input
      // What the stage has pushed is read in the task after.
      written = new Promise((resolve) => stage.write(bytes, () => afterThisTask(resolve)))
    },
    written: () => written,
    end() {
      if (input === undefined) onDone(undefined)
      else input.end()
    },
  }
}

/** Made at the first bytes, which tell zlib-wrapped from raw deflate. */
type DecoderFactory = (first: Uint8Array | undefined) => Duplex

// Flushed as fetch does: what has arrived comes out at once, and a body cut short is no error of the decoder.
const sync = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }

const decoders: ReadonlyMap<string, DecoderFactory> = new Map<string, DecoderFactory>([
  ['gzip', () => createGunzip(sync)],
  ['x-gzip', () => createGunzip(sync)],
  ['br', () => createBrotliDecompress(brotli)],
  ['deflate', (first) => (((first?.[0] ?? 0) & 0x0f) === 8 ? createInflate(sync) : createInflateRaw(sync))],
  ...zstdDecoder(),
])

/** Node 22.15 and later. */
function zstdDecoder(): [string, DecoderFactory][] {
  const create = (zlib as { createZstdDecompress?: () => Duplex }).createZstdDecompress
  return create === undefined ? [] : [['zstd', () => create()]]
}
