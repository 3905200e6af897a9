import { isUtf8 } from 'node:buffer'

/** How often a value may be wrapped (JSON in base64 in a URL …). Each form is at most as long as its text: still linear. */
const maxDepth = 3

const base64Run = /[A-Za-z0-9+/_-]{16}[A-Za-z0-9+/_-]*/g
const jsonEscape = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g
const percentRun = /(?:%[0-9A-Fa-f]{2})+/g

/** What a text says when its JSON escapes, URL encoding or base64 stretches are undone, these within each other too. */
export function decodedForms(text: string, depth = 1): string[] {
  const direct = [unescapeJson(text), decodePercent(text), ...decodeBase64(text)]
  const forms = direct.filter((form): form is string => form !== undefined && form !== text)
  return depth === maxDepth ? forms : forms.flatMap((form) => [form, ...decodedForms(form, depth + 1)])
}

const simpleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Leaves the quotes where they are: the text may hold a JSON, or a piece of one. */
function unescapeJson(text: string): string | undefined {
  if (!text.includes('\\')) return undefined
  return text.replace(jsonEscape, (_, hex: string | undefined, letter: string | undefined) =>
    hex === undefined ? (simpleEscapes[letter as string] ?? (letter as string)) : unit(hex),
  )
}

function unit(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return undefined
  return text.replace(percentRun, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
}

function decodeBase64(text: string): string[] {
  if (text.length < 16) return []
  const decoded: string[] = []
  for (const [run] of text.matchAll(base64Run)) {
    const bytes = Buffer.from(run, 'base64')
    if (isUtf8(bytes)) decoded.push(bytes.toString('utf8'))
  }
  return decoded
}
