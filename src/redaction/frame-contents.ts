import { frameTexts, joinedFrameTexts } from './frame-texts.ts'
import { joinedChannels } from './joined-channels.ts'

/** The events of an AWS event stream, and what a reader of them joins. */
export function* frameContents(bytes: Uint8Array): Generator<Uint8Array> {
  const frames = frameTexts(bytes)
  if (frames.length === 0) return
  const text = joinedFrameTexts(frames)
  yield Buffer.from(text)
  for (const channel of joinedChannels(text)) yield Buffer.from(channel.text)
}
