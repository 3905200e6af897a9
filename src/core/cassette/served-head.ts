/** What no HTTP message can say in its head (RFC 9110, 5.5): an answer that says it could not be served, whatever the version. */
import type { PackedCassette, PackedInteraction } from './packed-document.ts'
import { below, problem, type ShapeProblem } from './shape.ts'

/** The first header or status text of a response that no client would take. */
export function unservableHead({ interactions }: PackedCassette): ShapeProblem | undefined {
  for (const [index, interaction] of interactions.entries()) {
    const found = headProblem(interaction)
    if (found !== undefined) return below(['interactions', index, 'response'], found)
  }
  return undefined
}

function headProblem(interaction: PackedInteraction): ShapeProblem | undefined {
  if (!('response' in interaction) || interaction.response === undefined) return undefined
  const { statusText = '', headers } = interaction.response
  if (!reasonText.test(statusText)) return problem('it holds what no status text can', ['statusText'])
  const index = headers.findIndex(([, value]) => !headerText.test(value))
  return index < 0 ? undefined : problem('it holds what no header can', ['headers', index, 1])
}

/** As `Response` takes them. */
const reasonText = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ones that would end the header are what is refused
const headerText = /^[^\u0000\n\r\u0100-\uffff]*$/
