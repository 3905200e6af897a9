import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordsFrom } from '../../scripts/made-up-words.mjs'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import type { Cassette, HttpInteraction, Interaction, Json, RequestBody } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { cassetteOf, httpInteraction } from './sample-cassette.ts'
import { toolLoop } from './tool-loop.ts'

const context = { cassette: 'cassettes/a.json', caps: defaultCaps }
const words = wordsFrom(7)
const [system, question, answer, news] = [words(400), words(250), words(250), words(250)]

function post(number: number, body: RequestBody, response?: Json): HttpInteraction {
  const interaction = httpInteraction(number, response === undefined ? undefined : { json: response })
  return { ...interaction, request: { ...interaction.request, body } }
}

function chain(...bodies: readonly Json[]): Cassette {
  return cassetteOf(...bodies.map((json, index) => post(index + 1, { json })))
}

/** The requests as they stand in the file, after the whole cassette was proved to come back. */
function packed(cassette: Cassette): readonly any[] {
  const text = writeCassette(cassette)
  const parsed = parseCassette(text, context)
  expect(JSON.stringify(parsed)).toBe(JSON.stringify(cassette))
  expect(writeCassette(parsed)).toBe(text)
  return JSON.parse(text).interactions
}

const first = {
  model: 'gpt-5',
  messages: [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ],
}
const said = { role: 'assistant', content: answer }

describe('requests that repeat an earlier one', () => {
  it('F11 are told by it, and by what they add', () => {
    const second = { ...first, messages: [...first.messages, { role: 'user', content: 'Go on.' }] }
    expect(writeCassette(chain(first, second))).toContain(`      "request": {
        "like": 1,
        "edits": [{ "at": "/messages", "append": [{ "role": "user", "content": "Go on." }] }]
      },
`)
  })

  const long = { ...first, messages: [...first.messages, said, { role: 'user', content: news }, said] }

  it.each<[string, Json, Json, readonly Json[] | undefined]>([
    ['nothing', first, { ...first }, undefined],
    ['a member set', first, { ...first, temperature: 0.5 }, [{ at: '/temperature', set: 0.5 }]],
    ['a member unset', { ...first, user: 'x' }, first, [{ at: '/user', unset: true }]],
    [
      'a last message that changed',
      first,
      { ...first, messages: [first.messages[0], { role: 'user', content: 'Hello' }] } as Json,
      [{ at: '/messages/1/content', set: 'Hello' }],
    ],
    [
      'a word of a long text',
      first,
      {
        ...first,
        messages: [{ role: 'system', content: `${system.slice(0, 300)}NEW${system.slice(301)}` }, first.messages[1]],
      } as Json,
      [{ at: '/messages/0/content', from: 300, remove: 1, insert: 'NEW' }],
    ],
    ['a text that grew', { prompt: system }, { prompt: `${system} and on` }, [{ at: '/prompt', append: ' and on' }]],
    [
      'older messages dropped',
      long,
      { ...first, messages: [first.messages[0], ...long.messages.slice(3), { role: 'user', content: 'more' }] } as Json,
      [
        { at: '/messages', from: 1, remove: 2 },
        { at: '/messages', append: [{ role: 'user', content: 'more' }] },
      ],
    ],
    [
      'a mark that moved on to the last message',
      {
        ...first,
        messages: [first.messages[0], { ...first.messages[1], cache_control: { type: 'ephemeral' } }],
      } as Json,
      {
        ...first,
        messages: [...first.messages, { role: 'user', content: 'more', cache_control: { type: 'ephemeral' } }],
      },
      [
        { at: '/messages/1/cache_control', unset: true },
        { at: '/messages', append: [{ role: 'user', content: 'more', cache_control: { type: 'ephemeral' } }] },
      ],
    ],
  ])('F11 say %s', (_, base, target, edits) => {
    const [, interaction] = packed(chain(base, target))
    expect(interaction.request).toEqual({ like: 1, ...(edits !== undefined && { edits }) })
  })

  it('F11 choose the earlier request that has most in common, whatever lane comes between', () => {
    const other = {
      model: 'gpt-5',
      messages: [
        { role: 'system', content: news },
        { role: 'user', content: answer },
      ],
    }
    const grown = { ...first, messages: [...first.messages, said] }
    const otherGrown = { ...other, messages: [...other.messages, { role: 'user', content: 'b' }] }
    const interactions = packed(chain(first, other, grown, otherGrown))
    expect(interactions.map(({ request }) => request.like)).toEqual([undefined, undefined, 1, 2])
  })

  it('F11 stand whole where they are small, have little in common, or another order of members', () => {
    const small = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] }
    const reordered = { messages: first.messages, model: first.model }
    for (const cassette of [chain(small, small), chain(first, { prompt: news }), chain(first, reordered)]) {
      expect(packed(cassette)[1].request.like).toBeUndefined()
    }
  })

  it('F11 name another method, URL or header, and take over a body of any form', () => {
    const lines = { lines: [system, question] }
    const [one, two, three] = [post(1, lines), post(2, lines), post(3, lines)]
    const moved = { ...three, request: { ...three.request, url: 'https://api.openai.com/v1/other' } }
    const interactions = packed(cassetteOf(one, two, moved))
    expect(interactions[1].request).toEqual({ like: 1 })
    const { method, url, headers } = moved.request
    expect(interactions[2].request).toEqual({ like: 2, method, url, headers })
  })

  it('SN-03 F11 large values that recur are said once: tools, an answer sent back, the result of a tool', () => {
    const message = { role: 'assistant', content: answer, refusal: null }
    const tool: Interaction = {
      number: 2,
      kind: 'tool',
      hash: 'a'.repeat(64),
      request: { name: 'search', input: { q: 'x' } },
      result: { value: news },
      timing: { startMs: 0 },
    }
    const next = { ...first, messages: [...first.messages, message, { role: 'tool', content: news }] }
    const alone = { model: 'other', tools: [], system: [{ type: 'text', text: system }] }
    const interactions = packed(
      cassetteOf(
        post(1, { json: first }, { choices: [{ message }] }),
        tool,
        post(3, { json: next }),
        post(4, { json: alone }),
      ),
    )
    expect(interactions[2].request).toEqual({
      like: 1,
      edits: [{ at: '/messages', append: ['…', { role: 'tool', content: '…' }] }],
      same: { '/messages/2': 'response 1 /choices/0/message', '/messages/3/content': 'result 2' },
    })
    expect(interactions[3].request.body).toEqual({
      json: { ...alone, system: [{ type: 'text', text: '…' }] },
      same: { '/system/0/text': 'request 1 /messages/0/content' },
    })
  })

  it('F11 the text at the end of a stream is not said again by each event that repeats it', () => {
    const events = [
      { data: { type: 'text.done', text: answer } },
      { data: { type: 'item.done', item: { text: answer } } },
      { data: { type: 'completed', response: { output: [{ text: answer }], instructions: system } } },
    ]
    const interaction = {
      ...post(1, { json: first }),
      response: { status: 200, headers: [], body: { framing: 'sse', events } },
    } as const
    const [one] = packed(cassetteOf(interaction))
    expect(one.response.body.events.map(({ same }: { readonly same?: Json }) => same)).toEqual([
      undefined,
      { '/item/text': 'response 1 event 1 /text' },
      { '/response/output/0': 'response 1 event 2 /item', '/response/instructions': 'request 1 /messages/0/content' },
    ])
  })

  it('F11 no JSON of a user is taken for a reference', () => {
    const lookAlikes: readonly Json[] = [
      { like: 1, edits: [{ at: '/a', set: 1 }], same: { '/b': 'request 1' } },
      { '…': '…', text: 'request 1 /messages' },
      '…',
      ['…', { same: { '': 'result 1' } }],
    ]
    for (const value of lookAlikes)
      packed(chain({ ...first, value }, { ...first, value: [value, value] }, { ...first, value }))
  })

  it('F11 what is not asked for is not built', () => {
    const cassette = parseCassette(writeCassette(chain(first, { ...first, n: 1 })), context)
    const { body } = (cassette.interactions[1] as HttpInteraction).request
    expect(Object.getOwnPropertyDescriptor(body, 'json')?.get).toBeTypeOf('function')
    expect(body).toEqual({ json: { ...first, n: 1 } })
    expect(Object.getOwnPropertyDescriptor(body, 'json')?.get).toBeUndefined()
  })

  it('law: any conversation comes back, however it is edited', () => {
    const text = fc.oneof(fc.constantFrom(system, answer, news, '…', ''), fc.string({ unit: 'binary', maxLength: 300 }))
    const message = fc.record({
      role: fc.constantFrom('user', 'tool'),
      content: fc.oneof(text, fc.array(fc.record({ text }), { maxLength: 2 })),
    })
    const edit = fc.oneof(
      fc.record({ kind: fc.constant('push' as const), message }),
      fc.record({ kind: fc.constant('drop' as const), at: fc.nat(6), count: fc.nat(3) }),
      fc.record({ kind: fc.constant('replace' as const), at: fc.nat(6), message }),
      fc.record({
        kind: fc.constant('member' as const),
        name: fc.constantFrom('a', '/', '1', 'tools'),
        value: fc.option(text),
      }),
      fc.record({
        kind: fc.constant('insert' as const),
        at: fc.nat(6),
        text: fc.string({ unit: 'binary', maxLength: 6 }),
      }),
    )
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 5 }),
        fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 8 }),
        (start, turns) => {
          let body: Record<string, Json> = { model: 'm', messages: start, prompt: system }
          const bodies: Json[] = [body]
          for (const edits of turns) {
            body = { ...body }
            const messages = [...(body.messages as Json[])]
            for (const change of edits) {
              if (change.kind === 'push') messages.push(change.message)
              if (change.kind === 'drop') messages.splice(change.at, change.count)
              if (change.kind === 'replace') messages[Math.min(change.at, messages.length)] = change.message
              if (change.kind === 'insert') body.prompt = splice(body.prompt as string, change.at, change.text)
              if (change.kind === 'member' && change.value === null) delete body[change.name]
              if (change.kind === 'member' && change.value !== null) body[change.name] = change.value
            }
            body = { ...body, messages }
            bodies.push(body)
          }
          packed(chain(...bodies))
        },
      ),
      { numRuns: 150 },
    )
  })
})

function splice(text: string, at: number, added: string): string {
  const characters = [...text]
  return [...characters.slice(0, at * 20), added, ...characters.slice(at * 20 + 1)].join('')
}

describe('growth', () => {
  const kilobyte = { callCharacters: 250, resultCharacters: 620 }

  it.each([
    { turns: 50, answers: 'json', ...kilobyte },
    { turns: 50, answers: 'stream', ...kilobyte },
    { turns: 200, answers: 'json', ...kilobyte },
  ] as const)(
    'F12 a loop of $turns turns that grows by 1 KB a turn ($answers) takes at most 1.5 times what is distinct',
    (options) => {
      const { cassette, distinctBytes, sentBytes } = toolLoop(options)
      const text = writeCassette(cassette)
      expect(sentBytes / options.turns).toBeGreaterThan(options.turns * 400)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1.5 * distinctBytes)
      const parsed = parseCassette(text, context)
      expect(parsed).toEqual(cassette)
    },
  )

  it('promise 9: a changed turn changes the lines of that turn, and of what follows from it', () => {
    const options = { turns: 5, answers: 'stream', ...kilobyte } as const
    const before = writeCassette(toolLoop(options).cassette).split('\n')
    const after = writeCassette(
      toolLoop({ ...options, changed: { turn: 3, result: wordsFrom(3)(620) } }).cassette,
    ).split('\n')
    // The result of turn 3 is sent in the request of turn 4; its hash changes there and after.
    const turnOf = (lines: readonly string[], line: number): string | undefined =>
      lines.slice(0, line + 1).findLast((text) => text.startsWith('      "number": '))
    const changed = before.flatMap((text, line) =>
      after[line] === text ? [] : [[turnOf(before, line), text.trim().slice(0, 16)]],
    )
    expect(after).toHaveLength(before.length)
    expect(changed).toEqual([
      ['      "number": 4,', expect.stringMatching(/^"hash": "/)],
      ['      "number": 4,', '{ "role": "tool"'],
      ['      "number": 5,', expect.stringMatching(/^"hash": "/)],
    ])
  })
})

describe('F19 F20 a reference that cannot be followed', () => {
  const second = { ...first, messages: [...first.messages, said, { role: 'user', content: system }] }
  const good = JSON.parse(writeCassette(chain(first, second)))

  function refusal(
    change: (requests: readonly any[]) => void,
    read: (cassette: Cassette) => void = () => undefined,
  ): unknown {
    const file = structuredClone(good)
    change(file.interactions.map(({ request }: { readonly request: Json }) => request))
    try {
      read(parseCassette(JSON.stringify(file), context))
    } catch (error) {
      if (isReplayError(error)) return { code: error.code, ...error.details }
      throw error
    }
    return 'none'
  }

  const at = '/interactions/1/request'

  it.each<[string, (requests: readonly any[]) => void, string, string]>([
    [
      'to itself',
      ([, two]) => Object.assign(two, { like: 2 }),
      `${at}/like`,
      'it must be the number of an earlier HTTP interaction',
    ],
    [
      'to a later one',
      ([, two]) => Object.assign(two, { like: 3 }),
      `${at}/like`,
      'it must be the number of an earlier HTTP interaction',
    ],
    [
      'to none',
      ([, two]) => Object.assign(two, { like: 0 }),
      `${at}/like`,
      'it must be the number of an earlier HTTP interaction',
    ],
    [
      'to one without a JSON body',
      ([one]) => Object.assign(one, { body: { text: 'x' } }),
      `${at}/like`,
      'there is no JSON body to be changed',
    ],
    [
      'to a place that does not exist',
      ([, two]) => Object.assign(two.same, { '/messages/3/content': 'request 1 /nothing' }),
      `${at}/same/~1messages~13~1content`,
      'there is no value at the place it names',
    ],
    [
      'to a place that comes later',
      ([, two]) => Object.assign(two.same, { '/messages/3/content': 'response 2 /choices' }),
      `${at}/same/~1messages~13~1content`,
      'it must name a place that stands before it',
    ],
    [
      'to itself by a place',
      ([, two]) => Object.assign(two.same, { '/messages/3/content': 'request 2 /messages' }),
      `${at}/same/~1messages~13~1content`,
      'it must name a place that stands before it',
    ],
    [
      'to values shared by many cassettes, which are reserved',
      ([, two]) => Object.assign(two.same, { '/messages/3/content': `shared ${'a'.repeat(64)}` }),
      `${at}/same/~1messages~13~1content`,
      'values shared by many cassettes are not supported by this version',
    ],
    [
      'to no place',
      ([, two]) => Object.assign(two.same, { '/messages/3/content': 'somewhere' }),
      `${at}/same/~1messages~13~1content`,
      'it must name a place, such as "request 1 /tools"',
    ],
    [
      'where no hole is',
      ([one]) => Object.assign(one.body, { same: { '/model': 'request 1' } }),
      '/interactions/0/request/body/same/~1model',
      'there is no … at this place',
    ],
  ])('is refused: %s', (_, change, pointer, reason) => {
    expect(refusal(change)).toMatchObject({ code: 'TURNTAPE_CASSETTE_INVALID', pointer, reason })
  })

  it('is refused when it is read, where only then it shows', () => {
    expect(refusal(([, two]) => Object.assign(two.edits[0], { at: '/nothing' }), unfoldCassette)).toEqual({
      code: 'TURNTAPE_CASSETTE_INVALID',
      cassette: 'cassettes/a.json',
      pointer: `${at}/edits/0`,
      reason: 'there is nothing at /nothing to change so',
    })
  })

  it('is refused where thousands follow one another', () => {
    const interactions = Array.from({ length: 1500 }, (_, index) => ({
      ...good.interactions[0],
      number: index + 1,
      ...(index > 0 && { request: { like: index } }),
    }))
    expect(() => parseCassette(JSON.stringify({ ...good, interactions }), context)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ reason: 'it is told by more than 1024 others' }) }),
    )
  })

  it('is refused where each doubles the one before, long before that is a gigabyte', () => {
    const interactions = Array.from({ length: 60 }, (_, index) => ({
      ...good.interactions[0],
      number: index + 1,
      ...(index > 0 && {
        request: {
          method: 'POST',
          url: 'https://api.example.com/',
          body: { json: ['…', '…'], same: { '/0': `request ${index}`, '/1': `request ${index}` } },
        },
      }),
    }))
    const text = JSON.stringify({ ...good, interactions })
    expect(text.length).toBeLessThan(40_000)
    expect(() => parseCassette(text, context)).toThrow(
      expect.objectContaining({
        code: 'TURNTAPE_CAP_EXCEEDED',
        details: expect.objectContaining({ cap: 'maxBodyBytes', when: 'loading' }),
      }),
    )
  })
})
