/** `dates`: the normaliser for dates and times that were read off the clock. */
import { ExactNumber } from '../hashing/exact-number.ts'
import type { Normaliser } from './normaliser.ts'
import { ready } from './ready-normaliser.ts'
import { rewriteJson } from './rewrite-json.ts'

const year = '(?:19|20|21)\\d{2}'
const monthNumber = '(?:0[1-9]|1[0-2])'
const dayNumber = '(?:0[1-9]|[12]\\d|3[01])'
const day = '(?:3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?'
const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\\.?'
const weekday = '(?:(?:Mon|Tue(?:s)?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\\.?,?\\s+)?'
const zone = '(?:Z|[+-]\\d{2}:?\\d{2}|\\s?(?:GMT|UTC)(?:[+-]\\d{1,2}(?::?\\d{2})?)?(?:\\s\\([A-Za-z ]+\\))?)?'
const time = `(?:[01]?\\d|2[0-3]):[0-5]\\d(?::[0-6]\\d(?:[.,]\\d{1,9})?)?(?:\\s?[AaPp]\\.?[Mm]\\.?)?${zone}`

const forms = [
  `${year}-${monthNumber}-${dayNumber}`, // ISO 8601
  `${weekday}${month}\\s+${day},?\\s+${year}`, // Monday, November 30, 2026; Mon Nov 30 2026
  `${weekday}${day}\\s+${month},?\\s+${year}`, // RFC 1123: Mon, 30 Nov 2026
  `(?:3[01]|[12]\\d|0?[1-9])/(?:3[01]|[12]\\d|0?[1-9])/${year}`, // 11/30/2026
]

/** Not inside a longer name: `gpt-4o-2024-08-06` names a model, `api-version=2024-10-21` an interface. */
const datePattern = new RegExp(
  `(?<![\\w/-]|version=)(?:${forms.join('|')})(T${time}|,?\\s+(?:at\\s+)?${time})?(?![\\w/-])`,
  'g',
)
const compactPattern = new RegExp(`(?<![\\w-])${year}${monthNumber}${dayNumber}T\\d{6}Z?(?![\\w-])`, 'g')

/** Members whose dates are versions, not readings of a clock. */
const versionName = /version|^model$/i
const timeName = /(?:^|_)(?:time|timestamp|ts|date|now|created|updated|expires|at)$|[a-z](?:At|Time|Timestamp|Date)$/

/**
 * Replaces a date by `<date>`, one with a time of day by `<date time>`: ISO 8601, RFC 1123, what `Date` prints,
 * `November 30, 2026`, `11/30/2026`. Numbers become `<epoch>` where they are seconds or milliseconds since 1970 and
 * stand under a name that says so (`created`, `updated_at`, `startTime`). Left alone: headers (those that count hold
 * versions), names of models and versions, times without a date.
 */
export function dates(): Normaliser {
  return ready('dates', [], (request) => ({
    ...request,
    url: replaceDates(request.url),
    body:
      request.body === undefined
        ? undefined
        : rewriteJson(request.body, (leaf, name) => {
            if (leaf instanceof ExactNumber) return leaf.text
            if (typeof leaf === 'string')
              return name !== undefined && versionName.test(name) ? leaf : replaceDates(leaf)
            return typeof leaf === 'number' && name !== undefined && isEpoch(leaf, name) ? '<epoch>' : leaf
          }),
  }))
}

function replaceDates(text: string): string {
  return text
    .replace(datePattern, (_, timeOfDay: string | undefined) => (timeOfDay === undefined ? '<date>' : '<date time>'))
    .replace(compactPattern, '<date time>')
}

/** From 2001 to 2100. */
function isEpoch(value: number, name: string): boolean {
  const seconds = value >= 1e12 ? value / 1000 : value
  return seconds >= 1e9 && seconds < 4.1e9 && timeName.test(name)
}
