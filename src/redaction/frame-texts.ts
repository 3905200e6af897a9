/** What the frames of an AWS event stream say, and how to say it otherwise. */
import { type AmazonFrame, AmazonFrameReader, beginsWithAmazonFrame } from '../core/cassette/amazon-frames.ts'
import { decodeUtf8 } from './utf8-text.ts'

export interface FrameText {
  readonly frame: AmazonFrame
  /** Where the frame begins in the body. */
  readonly start: number
  /** The payload; of a frame that holds another stream's event in base64 (InvokeModel), that event. Empty: no text. */
  readonly text: string
  /** The payload that says `text`. */
  readonly payloadOf: (text: string) => Uint8Array
}

/** The whole frames of a body, in order; none where it is no such stream. */
export function frameTexts(bytes: Uint8Array): readonly FrameText[] {
  if (!beginsWithAmazonFrame(bytes)) return []
  let next = 0
  return new AmazonFrameReader().push(bytes).map((frame) => {
    const start = next
    next += frame.length
    return { frame, start, ...readPayload(frame.payload) }
  })
}

/** In one text, an event a line, as a reader of JSON lines has them. */
export function joinedFrameTexts(frames: readonly FrameText[]): string {
  return frames.map(({ text }) => text).join('\n')
}

const encoder = new TextEncoder()

function readPayload(payload: Uint8Array): Pick<FrameText, 'text' | 'payloadOf'> {
  const outer = wholeText(payload)
  const [, before, inner, after] = /^(\{.*?"bytes"\s*:\s*")([A-Za-z0-9+/]+=*)(".*)$/s.exec(outer) ?? []
  const held = inner === undefined ? '' : wholeText(new Uint8Array(Buffer.from(inner, 'base64')))
  if (held === '') return { text: outer, payloadOf: (text) => encoder.encode(text) }
  return {
    text: held,
    payloadOf: (text) => encoder.encode(`${before}${Buffer.from(text).toString('base64')}${after}`),
  }
}

/** Empty where the bytes are no text. */
function wholeText(bytes: Uint8Array): string {
  const decoded = decodeUtf8(bytes)
  return decoded === undefined || decoded.tail.length > 0 ? '' : decoded.text
}
