/** What the report says of a replay that passed with less than strict checks: one sentence for each allowance made use of. */
import { isTurnCall } from '../../core/turns/group-turns.ts'
import { counted } from '../../errors/messages/compose-message.ts'
import type { SessionContext } from '../session-context.ts'
import { nothingAllowed } from '../tape-options.ts'
import type { RecordingSource } from './recording-source.ts'

const shownPlaces = 6

/** Empty where everything was checked. Reads no file: only of a cassette that is open. */
export function notChecked(context: SessionContext, source: RecordingSource | undefined): readonly string[] {
  const { options, rules, servedCalls } = context
  if (source === undefined || rules.match !== 'replays' || rules.mismatch === 'rewrites') return []
  const { allow, strict } = options
  if (allow === nothingAllowed) return []
  const served = servedCalls.all
  const numbersOf = (is: (one: (typeof served)[number]) => boolean): number[] =>
    served.filter(is).map((one) => one.number)
  const unlike = numbersOf((one) => one.by === 'position' && one.recorded !== undefined)
  const unhashed = numbersOf((one) => one.recorded === undefined)
  const again = numbersOf((one) => one.by === 'again')
  const marked = (mark: 'incomplete' | 'substituted'): number[] =>
    served.flatMap(({ number }) => (source.interaction(number)[mark] === undefined ? [] : [number]))
  const byOption = (name: keyof typeof allow): string => (strict ? `allow.${name}` : 'strict: false')
  return [
    ...sentence(unlike, (calls) => `${calls} not checked, served in place (strict: false)`, source),
    ...sentence(unhashed, (calls) => `${calls} not checked, nothing to compare with (${byOption('unhashed')})`, source),
    ...realTools(servedCalls.realTools),
    ...sentence(marked('substituted'), () => `the workspace changes (${byOption('substitution')})`, source),
    ...sentence(marked('incomplete'), (calls) => `${calls} not complete (${byOption('incomplete')})`, source),
    ...sentence(readPast(context), (calls) => `${calls} read past the recording (${byOption('incomplete')})`, source),
    ...sentence(again, (calls) => `${calls} served again (allow.repeatedGets)`, source),
    ...sentence(notAskedFor(context, source), (calls) => `${calls} not asked for (${byOption('unused')})`, source),
  ]
}

function sentence(numbers: readonly number[], say: (calls: string) => string, source: RecordingSource): string[] {
  if (numbers.length === 0) return []
  const distinct = [...new Set(numbers)]
  const places = distinct.slice(0, shownPlaces).map((number) => placeOf(number, source))
  const more = distinct.length - places.length
  return [`${say(counted(numbers.length, 'call'))}: ${[...places, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`]
}

function placeOf(number: number, source: RecordingSource): string {
  const interaction = source.interaction(number)
  if (interaction.kind === 'tool' || interaction.kind === 'call')
    return `${interaction.kind} ${interaction.request.name}`
  const turn = isTurnCall(interaction) ? source.turnOf(number) : undefined
  return turn === undefined ? `interaction ${number}` : `turn ${turn}`
}

function realTools(names: readonly string[]): string[] {
  if (names.length === 0) return []
  const shown = [...new Set(names)].slice(0, shownPlaces).join(', ')
  return [`${counted(names.length, 'tool call')} ran for real, no recorded result fits (strict: false): ${shown}`]
}

function readPast({ options, waiting }: SessionContext): number[] {
  return options.allow.incomplete ? [...waiting.values()].flatMap(numberIn) : []
}

function numberIn({ code, details }: { readonly code: string; readonly details: object }): number[] {
  const number: unknown = code === 'TURNTAPE_READ_PAST_RECORDING' ? Reflect.get(details, 'interaction') : undefined
  return typeof number === 'number' ? [number] : []
}

function notAskedFor({ options, rules }: SessionContext, source: RecordingSource): readonly number[] {
  return options.allow.unused && rules.unused === 'fails' && source.from === 'committed' ? source.queue.unused() : []
}
