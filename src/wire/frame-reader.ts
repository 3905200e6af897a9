/**
 * Events out of AWS event-stream frames: the payload's text under the event's name. A frame that holds a piece of another
 * wire's stream (`InvokeModelWithResponseStream`) gives what is in it.
 */
import { type AmazonFrame, AmazonFrameReader } from '../core/cassette/amazon-frames.ts'
import { parseJson } from '../core/cassette/json-text.ts'
import { objectOf, stringOf } from './read-json.ts'
import type { StreamItem } from './stream-item.ts'

export class FrameReader {
  readonly #frames = new AmazonFrameReader()

  push(bytes: Uint8Array): StreamItem[] {
    return this.#frames.push(bytes).map(itemOf)
  }

  /** A frame that was cut: as much of its payload as came. */
  end(): StreamItem[] {
    const { rest } = this.#frames
    const text = new TextDecoder().decode(rest)
    return rest.length === 0 ? [] : [{ text: text.includes('{') ? text.slice(text.indexOf('{')) : '' }]
  }
}

function itemOf({ headers, payload }: AmazonFrame): StreamItem {
  const text = new TextDecoder().decode(payload)
  const code = headers.get(':error-code')
  if (code !== undefined) {
    const message = headers.get(':error-message') ?? ''
    return { name: code, text: JSON.stringify({ error: { type: code, message } }) }
  }
  const name = headers.get(':exception-type') ?? headers.get(':event-type')
  if (name === 'chunk') {
    const inner = stringOf(objectOf(parseJson(text))?.bytes)
    if (inner !== undefined) return { text: Buffer.from(inner, 'base64').toString('utf8') }
  }
  return name === undefined ? { text } : { name, text }
}
