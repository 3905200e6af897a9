/** What relates the members of a packed cassette to each other: numbers, references, columns, cuts and gaps that agree (F4, F8, F9, F11, F19). */
import { bodyBytes } from '../../decode-body.ts'
import type { ResponseBody } from '../../document.ts'
import { measureNumbers } from '../../number-list.ts'
import type {
  PackedBody,
  PackedCassette,
  PackedHttpInteraction,
  PackedInteraction,
  PackedValueInteraction,
} from '../../packed-document.ts'
import { packedChunkCount, packedEventCount } from '../../packed-size.ts'
import { below, problem, type ShapeProblem } from '../../shape.ts'
import { maxEdits, maxLikeDepth } from './limits.ts'
import { runProblem } from './run-rules.ts'

/** The first rule that a cassette of the right shape breaks. */
export function findBrokenRule({ interactions }: PackedCassette): ShapeProblem | undefined {
  const depths: number[] = []
  for (const [index, interaction] of interactions.entries()) {
    const found = interactionProblem(interaction, index + 1) ?? likeProblem({ interactions, index, depths })
    if (found !== undefined) return below(['interactions', index], found)
  }
  return undefined
}

function interactionProblem(interaction: PackedInteraction, expected: number): ShapeProblem | undefined {
  if (interaction.number !== expected)
    return problem(`it must be ${expected}: interactions are numbered in order`, ['number'])
  const overlaps = interaction.overlaps ?? []
  const stray = overlaps.findIndex(
    (number, index) => number < 1 || number >= expected || number <= (overlaps[index - 1] ?? 0),
  )
  if (stray >= 0) return problem('it must name earlier interactions, each once, in order', ['overlaps', stray])
  return 'result' in interaction ? valueProblem(interaction) : httpProblem(interaction)
}

function valueProblem({ result }: PackedValueInteraction): ShapeProblem | undefined {
  if (!('elements' in result) || result.gapsMs === undefined) return undefined
  if (measureNumbers(result.gapsMs).count === result.elements.length) return undefined
  return problem(`it must have one gap an element, ${result.elements.length}`, ['result', 'gapsMs'])
}

function httpProblem({ response, failure }: PackedHttpInteraction): ShapeProblem | undefined {
  if ((response === undefined) === (failure === undefined))
    return problem('it must have either a response or a failure')
  const found = response?.body === undefined ? undefined : bodyProblem(response.body)
  return found === undefined ? undefined : below(['response', 'body'], found)
}

/** `depths`: how many requests stand between each interaction and a whole one; this one's is added. */
interface LikeInput {
  readonly interactions: readonly PackedInteraction[]
  readonly index: number
  readonly depths: number[]
}

function likeProblem({ interactions, index, depths }: LikeInput): ShapeProblem | undefined {
  depths.push(0)
  const { request } = interactions[index] as PackedInteraction
  if (!('like' in request)) return undefined
  const base = interactions[request.like - 1]
  if (request.like > index || base === undefined || 'result' in base) {
    return problem('it must be the number of an earlier HTTP interaction', ['request', 'like'])
  }
  const depth = (depths[request.like - 1] as number) + 1
  depths[index] = depth
  if (depth > maxLikeDepth) return problem(`it is told by more than ${maxLikeDepth} others`, ['request', 'like'])
  if ((request.method === undefined) !== (request.url === undefined)) {
    return problem('it must have a method and a URL, or neither', ['request'])
  }
  if (request.method === undefined && request.headers !== undefined) {
    return problem('it stands beside a method and a URL only', ['request', 'headers'])
  }
  if ((request.edits?.length ?? 0) > maxEdits)
    return problem(`it has more than ${maxEdits} edits`, ['request', 'edits'])
  return undefined
}

function bodyProblem(body: PackedBody): ShapeProblem | undefined {
  const found = 'events' in body ? runProblem(body.events) : undefined
  if (found !== undefined) return found
  const chunks = packedChunkCount(body)
  if (body.gapsMs !== undefined && measureNumbers(body.gapsMs).count !== chunks) {
    return problem(`it must have one gap a chunk, ${chunks}`, ['gapsMs'])
  }
  if ('file' in body && !body.file.startsWith(`${body.sha256}.`))
    return problem('it must begin with the SHA-256', ['file'])
  const { cuts } = body
  if (cuts === undefined) return undefined
  if ('events' in cuts) {
    return 'events' in body ? sumProblem(measureNumbers(cuts.events).sum, packedEventCount(body), 'events') : undefined
  }
  // Bytes of what is still folded are counted when it is unfolded.
  if ('events' in body || 'same' in body) return undefined
  return sumProblem(measureNumbers(cuts.bytes).sum, bodyBytes(body as ResponseBody), 'bytes')
}

function sumProblem(sum: number, total: number, unit: 'bytes' | 'events'): ShapeProblem | undefined {
  return sum === total ? undefined : problem(`it adds up to ${sum}, the body has ${total} ${unit}`, ['cuts', unit])
}
