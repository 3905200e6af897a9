import { type MutationContext, mutateBytes } from './mutate-bytes.ts'
import { mutateJsonText } from './mutate-json.ts'

/** The input changed by structure where there is some: as a JSON text, or in the JSON of one of its lines; else in its bytes. */
export function mutate(bytes: Uint8Array, context: MutationContext): Uint8Array {
  const { random } = context
  if (random.isOneIn(3)) return mutateBytes(bytes, context)
  const text = new TextDecoder().decode(bytes)
  const changed = mutateJsonText(text, random) ?? mutateLine(text, context)
  return changed === undefined ? mutateBytes(bytes, context) : new TextEncoder().encode(changed)
}

function mutateLine(text: string, { random }: MutationContext): string | undefined {
  const lines = text.split('\n')
  const index = random.below(lines.length)
  const [, field = '', rest = ''] = /^(data: ?)?(.*)$/s.exec(lines[index] ?? '') ?? []
  const changed = mutateJsonText(rest, random)
  if (changed === undefined) return undefined
  lines[index] = field + changed
  return lines.join('\n')
}
