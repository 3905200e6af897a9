/** What relates the members of a cassette to each other: numbers, cuts, gaps and side files that agree (F4, F8, F19). */
import { bodyBytes, chunkCount } from './decode-body.ts'
import type { Cassette, HttpInteraction, Interaction, ResponseBody } from './document.ts'
import { problem, type ShapeProblem } from './shape.ts'

/** The first rule that a cassette of the right shape breaks. */
export function findBrokenRule({ interactions }: Cassette): ShapeProblem | undefined {
  for (const [index, interaction] of interactions.entries()) {
    const found = interactionProblem(interaction, index + 1)
    if (found !== undefined) return below(['interactions', index], found)
  }
  return undefined
}

function interactionProblem(interaction: Interaction, expected: number): ShapeProblem | undefined {
  if (interaction.number !== expected)
    return problem(`it must be ${expected}: interactions are numbered in order`, ['number'])
  const overlaps = interaction.overlaps ?? []
  const stray = overlaps.findIndex(
    (number, index) => number < 1 || number >= expected || number <= (overlaps[index - 1] ?? 0),
  )
  if (stray >= 0) return problem('it must name earlier interactions, each once, in order', ['overlaps', stray])
  return 'result' in interaction ? undefined : httpProblem(interaction)
}

function httpProblem({ response, failure }: HttpInteraction): ShapeProblem | undefined {
  if ((response === undefined) === (failure === undefined))
    return problem('it must have either a response or a failure')
  const found = response?.body === undefined ? undefined : bodyProblem(response.body)
  return found === undefined ? undefined : below(['response', 'body'], found)
}

function bodyProblem(body: ResponseBody): ShapeProblem | undefined {
  const chunks = chunkCount(body)
  if (body.gapsMs !== undefined && body.gapsMs.length !== chunks) {
    return problem(`it must have one gap a chunk, ${chunks}`, ['gapsMs'])
  }
  if ('file' in body && !body.file.startsWith(`${body.sha256}.`))
    return problem('it must begin with the SHA-256', ['file'])
  const { cuts } = body
  if (cuts === undefined) return undefined
  if ('bytes' in cuts) return sumProblem(cuts.bytes, bodyBytes(body), 'bytes')
  return 'events' in body ? sumProblem(cuts.events, body.events.length, 'events') : undefined
}

function sumProblem(cuts: readonly number[], total: number, unit: 'bytes' | 'events'): ShapeProblem | undefined {
  const sum = cuts.reduce((soFar, length) => soFar + length, 0)
  return sum === total ? undefined : problem(`it adds up to ${sum}, the body has ${total} ${unit}`, ['cuts', unit])
}

function below(path: readonly (string | number)[], found: ShapeProblem): ShapeProblem {
  found.reversedPath.push(...[...path].reverse())
  return found
}
