import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Interaction } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { compareRuns } from '../../src/trajectory/compare-runs.ts'
import { tokenUsage } from '../../src/trajectory/token-usage.ts'
import { buildTrajectory, type Turn } from '../../src/trajectory/turn.ts'
import { decodeAnswer } from '../../src/wire/decode-answer.ts'
import { type CorpusAnswer, corpusAnswers } from '../wire/corpus-answers.ts'
import { numbered } from './wire-calls.ts'

interface File {
  readonly name: string
  readonly answers: readonly CorpusAnswer[]
  readonly interactions: readonly Interaction[]
  readonly turns: readonly Turn[]
}

/** Binary answers, by the name of their side file. */
const sideFiles = new Map<string, Uint8Array>()

function interactionOf({ url, request, status, bytes }: CorpusAnswer): Interaction {
  const chunks = [{ bytes, gapMs: 0 }]
  const { stored, sideFile } = encodeBody({ chunks, end: { kind: 'complete' } }, { contentType: 'application/json' })
  if (sideFile !== undefined) sideFiles.set(sideFile.name, sideFile.bytes)
  const body = request === undefined ? {} : { body: { json: request } }
  return {
    ...{ number: 1, kind: 'model', hash: '', timing: { startMs: 0 }, request: { method: 'POST', url, ...body } },
    response: { status, headers: [], ...(stored !== undefined && { body: stored }) },
  }
}

describe.skipIf(!existsSync(resolve('../shared/corpus')))('the corpus (skipped where there is none)', () => {
  const files: File[] = []
  beforeAll(async () => {
    const byFile = new Map<string, CorpusAnswer[]>()
    for (const answer of await corpusAnswers()) {
      const file = answer.name.replace(/ \d+$/, '')
      byFile.set(file, [...(byFile.get(file) ?? []), answer])
    }
    for (const [name, answers] of byFile) {
      const interactions = numbered(answers.map(interactionOf))
      files.push({ name, answers, interactions, turns: buildTrajectory({ interactions, sideFiles }) })
    }
  }, 60_000)

  test('a turn says what the decoder says of its bytes', { timeout: 60_000 }, () => {
    for (const { name, answers, turns } of files) {
      for (const turn of turns) {
        const { url, request, bytes } = answers[turn.interaction.number - 1] as CorpusAnswer
        const answer = decodeAnswer({ url, ...(request !== undefined && { request }), body: [bytes] })
        const what = `${name} ${turn.interaction.number}`
        expect([turn.blocks, turn.usage, turn.finishReason], what).toEqual([
          answer?.blocks ?? [],
          answer?.usage,
          answer?.finishReason,
        ])
        const calls = answer?.blocks.filter((block) => block.kind === 'tool call') ?? []
        expect(
          turn.toolCalls.map((call) => call.name),
          what,
        ).toEqual(calls.map((call) => call.name))
      }
    }
  })

  test('every call whose id a later request answers has that result, and no other call has one', () => {
    let answered = 0
    for (const { name, interactions, turns } of files) {
      for (const { toolCalls, interaction } of turns) {
        const later = interactions.slice(interaction.number).map(({ request }) => JSON.stringify(request))
        for (const { id, byProvider, result } of toolCalls) {
          // Gemini's results go by name.
          if (id === undefined || byProvider === true || /generateContent/i.test(interaction.request.url)) continue
          const holds = new RegExp(`"(tool_call_id|tool_use_id|call_id)":"${id}"`)
          const answers = later.filter(
            (text) =>
              holds.test(text.replace(/\{[^{}]*"type":"function_call"[^{}]*\}/g, '')) ||
              // Bedrock has one name for it in the call, which is said again, and in its result.
              text.split(`"toolUseId":"${id}"`).length > 2,
          )
          expect(result?.from, `${name} ${interaction.number} ${id}`).toBe(answers.length > 0 ? 'request' : undefined)
          if (result === undefined) continue
          expect(answers[0], name).toContain(JSON.stringify(result.output))
          answered += 1
        }
      }
    }
    expect(answered).toBeGreaterThan(20)
  })

  test('tokens are summed in every wire', () => {
    const models = new Set(files.flatMap(({ turns }) => Object.keys(tokenUsage(turns).byModel)))
    for (const family of [/gpt/, /claude/, /gemini/]) expect([...models].some((model) => family.test(model))).toBe(true)
  })

  test('TH-28 every recording is the same as itself', { timeout: 60_000 }, () => {
    for (const { name, interactions, turns } of files) {
      const run = { name, interactions, turns, sideFiles }
      const copy = structuredClone(interactions)
      const other = {
        name: 'copy',
        interactions: copy,
        turns: buildTrajectory({ interactions: copy, sideFiles }),
        sideFiles,
      }
      expect(compareRuns(run, other).identical, name).toBe(true)
    }
  })
})
