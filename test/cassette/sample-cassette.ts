import type { Cassette, HttpInteraction, Interaction, ResponseBody } from '../../src/core/cassette/document.ts'

const hash = 'a'.repeat(64)

export function httpInteraction(number: number, body?: ResponseBody): HttpInteraction {
  return {
    number,
    kind: 'model',
    hash,
    request: {
      method: 'POST',
      url: 'https://api.openai.com/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
      body: {
        json: { model: 'gpt-5', stream: true, messages: [{ role: 'user', content: 'Berlin to Oslo on Friday' }] },
      },
    },
    response: { status: 200, headers: [['content-type', 'text/event-stream']], ...(body !== undefined && { body }) },
    timing: { startMs: 0, headMs: 120 },
  }
}

export function cassetteOf(...interactions: readonly Interaction[]): Cassette {
  return {
    format: 'turntape/1',
    test: 'flights > books the cheapest flight',
    provenance: { kind: 'live' },
    recordedAt: '2026-11-30T12:00:00.000Z',
    recordedWith: { node: '20.20.2', turntape: '0.1.0' },
    interactions,
  }
}

export const streamBody: ResponseBody = {
  framing: 'sse',
  events: [
    { event: 'delta', data: { choices: [{ delta: { content: 'Hel' } }] } },
    { event: 'delta', data: { choices: [{ delta: { content: 'lo' } }] } },
    { raw: ': keep-alive\n\n' },
    { text: '[DONE]' },
  ],
  cuts: { events: [1, 3] },
  gapsMs: [12, 7],
}

/** One interaction of each kind and with most members the format has. */
export const fullCassette: Cassette = cassetteOf(
  httpInteraction(1, streamBody),
  {
    ...httpInteraction(2),
    lane: 'search',
    overlaps: [1],
    optional: true,
    request: {
      method: 'POST',
      url: 'https://api.example.com/upload',
      body: { parts: [{ name: 'note', text: 'a\nb' }] },
    },
    response: { status: 200, headers: [], body: { lines: ['first', 'second', ''], cuts: { bytes: [3, 10] } } },
  },
  {
    number: 3,
    kind: 'http',
    hash,
    request: { method: 'GET', url: 'https://api.example.com/flights' },
    failure: {
      stage: 'connect',
      name: 'TypeError',
      message: 'fetch failed',
      cause: {
        stage: 'connect',
        name: 'Error',
        message: 'connect ECONNREFUSED',
        code: 'ECONNREFUSED',
        details: { errno: -111 },
      },
    },
    timing: { startMs: 40 },
  },
  {
    number: 4,
    kind: 'tool',
    hash,
    request: { name: 'search', input: { city: 'Oslo', dates: [1, 2, 3] } },
    result: { elements: [{ price: 89 }, 'two'], error: { stage: 'value', name: 'Error', message: 'stopped' } },
    timing: { startMs: 90 },
  },
  {
    number: 5,
    kind: 'call',
    hash,
    request: { name: 'now', input: null },
    result: { value: 'Monday', sync: true },
    timing: { startMs: 91 },
  },
)
