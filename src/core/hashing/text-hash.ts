/** The SHA-256 of a text that comes in pieces. */
import { createHash, type Hash } from 'node:crypto'
import { contentHash } from '../cassette/content-hash.ts'
import { maxWholeLength } from './json-pieces.ts'

export class TextHash {
  #hash: Hash | undefined
  /** Not hashed yet. */
  #text = ''

  constructor(hash?: Hash) {
    this.#hash = hash
  }

  add(text: string): this {
    if (this.#text.length + text.length > maxWholeLength) this.#flush()
    this.#text += text
    return this
  }

  /** What is text already in UTF-8. */
  addBytes(bytes: Uint8Array): this {
    this.#flush().update(bytes)
    return this
  }

  /** One of its own, which goes on from here. */
  copy(): TextHash {
    return new TextHash(this.#flush().copy())
  }

  /** 64 lower-case hex digits; nothing can be added after it. */
  digest(): string {
    // In one go where that is all: half the price for a short text.
    return this.#hash === undefined ? contentHash(this.#text) : this.#flush().digest('hex')
  }

  #flush(): Hash {
    this.#hash ??= createHash('sha256')
    if (this.#text !== '') this.#hash.update(this.#text)
    this.#text = ''
    return this.#hash
  }
}
