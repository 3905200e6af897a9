import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { type Cassette, type HttpInteraction, isHttpInteraction } from '../../src/core/cassette/document.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { readFormatBytes } from './format-files.ts'
import { answerTo, replaySession } from './replay-session.ts'

const text = readFormatBytes('v1/valid/conversation.json').toString('utf8')
const whole = parseCassette(text, { cassette: 'a.json', caps: defaultCaps })
const [first, call, second] = whole.interactions

/** The conversation replayed from an edited file: what it fails with, after so many interactions of it. */
async function failureOf(edited: string, count: number): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'edited-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'a.json'), edited)
  const session = replaySession({ root, path: 'a.json' })
  for (const interaction of whole.interactions.slice(0, count)) {
    if (isHttpInteraction(interaction)) await answerTo(session, interaction.request.url, bodyOf(interaction))
    else {
      const { name, input } = interaction.request
      const live = () => expect.fail('it must not run')
      try {
        session.value({ kind: 'tool', name, input, callId: 'call_1', lane: undefined, live })
      } catch {
        // The session keeps its failure.
      }
    }
  }
  return session.failure?.message
}

function bodyOf({ request: { body } }: HttpInteraction): unknown {
  return body !== undefined && 'json' in body ? body.json : undefined
}

function edit(from: string, to: string): string {
  expect(text).toContain(from)
  return text.replace(from, to)
}

test('F13 a file that nobody edited replays', async () => {
  expect(await failureOf(text, 3)).toBeUndefined()
  expect([first, call, second].map((one) => (one as Cassette['interactions'][number]).number)).toEqual([1, 2, 3])
})

test('F13 an edit of a request is named when it is compared, by whatever it is stored', async () => {
  expect(await failureOf(edit('"temperature": 0.2', '"temperature": 0.7'), 1)).toMatchInlineSnapshot(`
    "The request of interaction 1 was edited: a.json [TURNTAPE_CASSETTE_EDITED]

    cassette    a.json
    its hash    3f47ad1af96a54c3f0a70236542348445120acb1847f07b05604250c102e85da
    computed    55e1a1dad563b828eba7f651bc5f7591c1381c51a1d70d7defac4e53cba47b83

    The stored request no longer gives the hash stored beside it, so it is not what was sent when it was
    recorded.

    If the edit is meant, hash it again (the cassette is then marked as derived):
      npx turntape check --fix "a.json"
    Or put back what was committed:
      git checkout -- "a.json""
  `)
})

test('F11 F13 so is an edit of what a request adds to the one before', async () => {
  expect(await failureOf(edit('"tool_call_id": "call_1"', '"tool_call_id": "call_9"'), 3)).toMatchInlineSnapshot(`
    "The request of interaction 3 was edited: a.json [TURNTAPE_CASSETTE_EDITED]

    cassette    a.json
    its hash    fcc960cf99989ec8f6e0165d78bf6adf4ad71d5fb11379aa20230a71df65d8d4
    computed    89d20d090f67294beeaa9cfc6545ab5df8474fd454cf5e84be08c404e64008a8

    The stored request no longer gives the hash stored beside it, so it is not what was sent when it was
    recorded.

    If the edit is meant, hash it again (the cassette is then marked as derived):
      npx turntape check --fix "a.json"
    Or put back what was committed:
      git checkout -- "a.json""
  `)
})

test('F13 so is an edit of what a tool was called with', async () => {
  expect(
    await failureOf(edit('{ "from": "BER", "to": "OSL" }', '{ "from": "BER", "to": "CDG" }'), 2),
  ).toMatchInlineSnapshot(`
    "The request of interaction 2 was edited: a.json [TURNTAPE_CASSETTE_EDITED]

    cassette    a.json
    its hash    c98a8ab319ea3d1f812f49e108ff2a0c16a8afc59f08df80e6574b59619016e3
    computed    0dbc919daaec82cf1e30680fa70c2d5f4ccf8dd8e58c83026039cc19386ad563

    The stored request no longer gives the hash stored beside it, so it is not what was sent when it was
    recorded.

    If the edit is meant, hash it again (the cassette is then marked as derived):
      npx turntape check --fix "a.json"
    Or put back what was committed:
      git checkout -- "a.json""
  `)
})

test('F19 a file that cannot be read says how its test is recorded again', async () => {
  expect(await failureOf(text.slice(0, 900), 1)).toMatchInlineSnapshot(`
    "Not a valid cassette: a.json:20:266 [TURNTAPE_CASSETTE_INVALID]

    cassette    a.json
    place       line 20, column 266
    reason      the file ends in the middle: it is truncated

    Put back what was committed:  git checkout -- "a.json"
    Or record it again:  npx turntape record "a.test.ts > answers questions""
  `)
  expect(await failureOf('', 1)).toMatchInlineSnapshot(`
    "Not a valid cassette: a.json:1:1 [TURNTAPE_CASSETTE_INVALID]

    cassette    a.json
    place       line 1, column 1
    reason      the file is empty

    Put back what was committed:  git checkout -- "a.json"
    Or record it again:  npx turntape record "a.test.ts > answers questions""
  `)
})
