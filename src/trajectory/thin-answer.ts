/**
 * A streamed answer cut down to what can say how many tokens it took: the report asks that of every answer that was served, and
 * most of a stream is text. Which members those are, the decoders know; here they are told by their names, generously.
 */
import { type Interaction, isHttpInteraction, type Json, type StreamEvent } from '../core/cassette/document.ts'

/** Shorter streams are as quickly read whole. */
const leastEvents = 64

/** Enough for what begins an answer and what ends it. */
const keptAtEnds = 8

/** How deep any provider puts its counts. */
const mostLevels = 4

const countName = /usage|token|count|units|metrics|meta/i

/** With the same counts, model and end as the whole; the same object where there is nothing to cut. */
export function thinAnswer(interaction: Interaction): Interaction {
  const response = isHttpInteraction(interaction) ? interaction.response : undefined
  const body = response?.body
  if (response === undefined || body === undefined || !('events' in body) || body.events.length < leastEvents) {
    return interaction
  }
  const { cuts: _cuts, gapsMs: _gapsMs, ...content } = body
  const last = body.events.length - keptAtEnds
  const events = body.events.filter((event, index) => index < keptAtEnds || index >= last || mayCount(event))
  return { ...interaction, response: { ...response, body: { ...content, events } } } as Interaction
}

function mayCount(event: StreamEvent): boolean {
  return !('data' in event) || hasCount(event.data, mostLevels)
}

/** Lists hold choices and parts of them, which say what was answered. */
function hasCount(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || levels === 0) return false
  const members = value as { readonly [name: string]: Json }
  return Object.keys(members).some((name) => {
    const member = members[name] as Json
    if (typeof member !== 'number' && (typeof member !== 'object' || member === null)) return false
    return countName.test(name) || hasCount(member, levels - 1)
  })
}
