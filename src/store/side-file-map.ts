/** The side files of a cassette, read when asked for and checked by their name, which is their SHA-256 (F5, F19). */
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { contentHash } from '../core/cassette/content-hash.ts'
import type { Cassette, SideFiles } from '../core/cassette/document.ts'
import { ReplayError } from '../errors/replay-error.ts'
import { faultReason, isMissing } from './file-fault.ts'
import { sideFolderOf } from './store-path.ts'

/** Side files by name, with the size the cassette states. */
export type SideFileSizes = ReadonlyMap<string, number>

/** The side files a cassette refers to. */
export function sideFileSizes({ interactions }: Cassette): SideFileSizes {
  const sizes = new Map<string, number>()
  for (const interaction of interactions) {
    const body = 'response' in interaction ? interaction.response?.body : undefined
    if (body !== undefined && 'file' in body) sizes.set(body.file, body.bytes)
  }
  return sizes
}

/** @throws on `get`: TURNTAPE_CASSETTE_INVALID for a file that is missing, altered, or outside the folder. */
export class SideFileMap implements SideFiles {
  readonly #file: string
  readonly #cassette: string
  readonly #makeSizes: () => SideFileSizes
  #made: SideFileSizes | undefined
  readonly #read = new Map<string, Uint8Array>()

  /** `file`: the cassette's absolute path; `cassette`: its relative one, for messages. */
  constructor({
    file,
    cassette,
    sizes,
  }: { readonly file: string; readonly cassette: string; readonly sizes: () => SideFileSizes }) {
    this.#file = file
    this.#cassette = cassette
    this.#makeSizes = sizes
  }

  /** Asked for when a side file is: a cassette without one need not be looked through. */
  get #sizes(): SideFileSizes {
    this.#made ??= this.#makeSizes()
    return this.#made
  }

  get size(): number {
    return this.#sizes.size
  }

  has(name: string): boolean {
    return this.#sizes.has(name)
  }

  get(name: string): Uint8Array | undefined {
    const size = this.#sizes.get(name)
    if (size === undefined) return undefined
    const bytes = this.#read.get(name) ?? this.#load(name, size)
    this.#read.set(name, bytes)
    return bytes
  }

  keys(): MapIterator<string> {
    return this.#sizes.keys()
  }

  *entries(): MapIterator<[string, Uint8Array]> {
    for (const name of this.#sizes.keys()) yield [name, this.get(name) as Uint8Array]
  }

  *values(): MapIterator<Uint8Array> {
    for (const [, bytes] of this.entries()) yield bytes
  }

  forEach(visit: (bytes: Uint8Array, name: string, map: ReadonlyMap<string, Uint8Array>) => void): void {
    for (const [name, bytes] of this.entries()) visit(bytes, name, this)
  }

  [Symbol.iterator](): MapIterator<[string, Uint8Array]> {
    return this.entries()
  }

  #load(name: string, size: number): Uint8Array {
    try {
      const file = this.#inFolder(name)
      if (file === undefined) throw this.#invalid(name, 'leads out of the folder of the cassette')
      const bytes = readSized(file, size)
      if (bytes === undefined || contentHash(bytes) !== name.split('.', 1)[0]) throw this.#invalid(name, 'was altered')
      return bytes
    } catch (error) {
      if (error instanceof ReplayError) throw error
      throw this.#invalid(name, isMissing(error) ? 'is missing' : `cannot be read: ${faultReason(error)}`, error)
    }
  }

  /** The real path, if it is in the real folder of side files beside the cassette: no link may lead elsewhere. */
  #inFolder(name: string): string | undefined {
    const folder = sideFolderOf(this.#file)
    const realFolder = realpathSync(folder)
    const real = realpathSync(join(folder, name))
    const isInside = realFolder.startsWith(realpathSync(dirname(folder)) + sep) && real.startsWith(realFolder + sep)
    return isInside ? real : undefined
  }

  #invalid(name: string, what: string, cause?: unknown): ReplayError {
    const reason = `its side file ${name} ${what}`
    return new ReplayError('TURNTAPE_CASSETTE_INVALID', { cassette: this.#cassette, reason }, { cause })
  }
}

/** Undefined where the size is another: it is not read then. */
function readSized(file: string, size: number): Uint8Array | undefined {
  // Non-blocking: opening a pipe must not wait for a writer.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const found = fstatSync(descriptor)
    return found.isFile() && found.size === size ? new Uint8Array(readFileSync(descriptor)) : undefined
  } finally {
    closeSync(descriptor)
  }
}
