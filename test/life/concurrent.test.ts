import { beforeAll, expect, test } from 'vitest'
import { createLifeProject } from './life-project.ts'
import { type Model, startModel } from './model.ts'

let model: Model
beforeAll(async () => {
  model = await startModel()
})

// 20 tests at once, three calls each to one URL, in an order that the answers' delays shuffle; one call is streamed.
const crowd = `
import { describe, expect } from 'vitest'
import { test } from 'turntape/vitest'
import { ask, askStreamed } from '../client.js'

describe.concurrent('crowd', () => {
  for (let number = 1; number <= 20; number++) {
    test('member ' + number, async ({ tape }) => {
      expect(await ask('hello')).toBe('answer to: hello')
      const mine = 'member ' + number
      expect(await askStreamed(mine, { switches: 'wait=' + (number * 7) % 11 })).toBe('answer to: ' + mine)
      expect(await ask('and ' + mine)).toBe('answer to: and ' + mine)
      expect(tape.turns).toHaveLength(3)
    })
  }
})
`

function questionsOf(cassette: string): readonly string[] {
  const { interactions } = JSON.parse(cassette) as {
    readonly interactions: readonly {
      readonly request: {
        readonly body: { readonly json: { readonly messages: readonly { readonly content: string }[] } }
      }
    }[]
  }
  return interactions.map(({ request }) => request.body.json.messages[0]?.content ?? '')
}

// Four files of it a run, so that twenty runs of a file cost five starts of Vitest.
const files = ['a', 'b', 'c', 'd']
const members = Array.from({ length: 20 }, (_, at) => `member ${at + 1}`)

test('20 concurrent tests with interleaved calls to one URL keep their calls apart, 20 runs out of 20', async () => {
  const { project, run } = createLifeProject(
    model,
    Object.fromEntries(files.map((file) => [`test/${file}.test.js`, crowd])),
  )
  const recording = await run(['--maxConcurrency=20'])
  expect(recording.report, recording.output).toEqual(['Cassettes  80 written'])
  expect(await model.count()).toBe(240)
  expect(project.cassettes()).toHaveLength(80)
  for (const file of files) {
    for (const member of members) {
      const path = `cassettes/test/${file}.test/crowd__${member.replace(' ', '-')}.json`
      expect(questionsOf(project.read(path))).toEqual(['hello', member, `and ${member}`])
    }
  }
  await model.reset()
  for (let round = 1; round <= 4; round++) {
    const replay = await run(['--maxConcurrency=20'], { env: { CI: '1' } })
    expect(replay.report, replay.output).toEqual(['Cassettes  80 replayed'])
  }
  expect(await model.count()).toBe(0)
})
