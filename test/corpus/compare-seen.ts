import type { Seen } from './corpus-project.ts'

/** Headers that clients act on or show: where the live server sent them, a replay has them. */
const neededHeaders =
  /^(?:content-type|(?:x-)?request-id|retry-after(?:-ms)?|(?:anthropic|x)-ratelimit-.*|openai-(?:model|processing-ms|version)|x-amzn-(?:requestid|errortype)|x-should-retry|location)$/

/** What a replay shows that the live call did not, a line each; empty where a client could not tell them apart. */
export function differences(live: Seen, replayed: Seen): readonly string[] {
  const { headers: liveHeaders = [], ...rest } = afterRedaction(live)
  const { headers = [], ...replayedRest } = afterRedaction(replayed)
  const members = [...new Set([...Object.keys(rest), ...Object.keys(replayedRest)])] as (keyof typeof rest)[]
  return [
    ...members.flatMap((member) => {
      const [one, other] = [JSON.stringify(rest[member]), JSON.stringify(replayedRest[member])]
      return one === other ? [] : [`${member}: ${short(one)} is now ${short(other)}`]
    }),
    ...changedHeaders(liveHeaders, headers, live.status ?? 0),
  ]
}

/**
 * The common temporary folder is rewritten on every machine, also where deltas cut its name. Of a body that names it the
 * characters beside the name and its placeholder are compared, and the number of chunks.
 */
function afterRedaction({ bytes, chunks = [], ...seen }: Seen): Omit<Seen, 'chunks'> & { readonly chunks: unknown } {
  const text = Buffer.from(bytes ?? '', 'base64').toString('latin1')
  if (!/\/tmp|<tmp>/.test(text)) return { ...seen, ...(bytes !== undefined && { bytes }), chunks }
  return { ...seen, bytes: text.replaceAll(/[/tmp<>]/g, ''), chunks: chunks.length }
}

type Headers = NonNullable<Seen['headers']>

function changedHeaders(live: Headers, replayed: Headers, status: number): readonly string[] {
  const before = new Map(live.filter(([name]) => name !== 'set-cookie'))
  const after = new Map(replayed.filter(([name]) => name !== 'set-cookie'))
  // A served failure says to come back at once.
  const waits = status >= 400 ? new Set(['retry-after', 'retry-after-ms']) : new Set()
  const lost = [...before.keys()].filter((name) => neededHeaders.test(name) && !after.has(name))
  const changed = [...after].filter(([name, value]) => before.get(name) !== value && !waits.has(name))
  return [
    ...lost.map((name) => `header ${name} is lost`),
    ...changed.map(([name, value]) => `header ${name}: ${before.get(name)} is now ${value}`),
    ...['content-encoding', 'transfer-encoding']
      .filter((name) => after.has(name))
      .map((name) => `header ${name} is served`),
    ...changedCookies(cookies(live), cookies(replayed)),
  ]
}

function cookies(headers: Headers): readonly string[] {
  return headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)
}

/** Name and attributes stay, the value goes. */
function changedCookies(live: readonly string[], replayed: readonly string[]): readonly string[] {
  if (live.length !== replayed.length) return [`${live.length} cookies are now ${replayed.length}`]
  const parts = (cookie: string) => /^([^=;]*=)?([^;]*)(.*)$/s.exec(cookie)?.slice(1) ?? []
  return live.flatMap((cookie, index) => {
    const [name, value, attributes] = parts(cookie)
    const [nameNow, valueNow, attributesNow] = parts(replayed[index] as string)
    const kept = name === nameNow && attributes === attributesNow && value !== valueNow
    return kept ? [] : [`cookie ${index}: ${cookie} is now ${replayed[index]}`]
  })
}

function short(text: string | undefined): string {
  return text === undefined || text.length <= 200 ? String(text) : `${text.slice(0, 200)}…`
}
