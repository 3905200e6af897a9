import { type HttpInteraction, type Interaction, isHttpInteraction, type Json } from '../core/cassette/document.ts'
import { isTurnCall } from '../core/turns/group-turns.ts'
import { filledOf, objectOf } from '../wire/read-json.ts'
import { modelInUrl } from '../wire/read-request.ts'
import { readSideUsage } from '../wire/side-usage.ts'
import type { ModelUsage } from '../wire/whole-usage.ts'
import { requestValue } from './decoded-answer.ts'

/** Of the answered model calls that are no turn, as far as they tell: nothing of a sound or a picture is decoded for it. */
export function sideUsages(interactions: readonly Interaction[]): readonly ModelUsage[] {
  return interactions.flatMap((interaction) => {
    if (!isHttpInteraction(interaction) || interaction.kind !== 'model' || isTurnCall(interaction)) return []
    // A stream tells at its end.
    const values = valuesOf(interaction)
    const usage = values.map(readSideUsage).findLast((found) => found !== undefined)
    return usage === undefined ? [] : [{ model: modelOf(interaction, values), usage }]
  })
}

function valuesOf({ response }: HttpInteraction): readonly Json[] {
  const body = response?.body
  if (body === undefined) return []
  if ('json' in body) return [body.json]
  return 'events' in body ? body.events.flatMap((event) => ('data' in event ? [event.data] : [])) : []
}

function modelOf(interaction: HttpInteraction, values: readonly Json[]): string {
  const { url, body } = interaction.request
  const answered = values.map((value) => filledOf(objectOf(value)?.model)).find((model) => model !== undefined)
  const asked = filledOf(objectOf(requestValue(interaction))?.model)
  const inForm =
    body !== undefined && 'parts' in body ? body.parts.find(({ name }) => name === 'model')?.text : undefined
  return answered ?? asked ?? inForm ?? modelInUrl(url) ?? 'unknown'
}
