import { asBuffer } from '../core/cassette/as-buffer.ts'
import { isPlaceholder } from './placeholder.ts'
import type { PlaceholderLedger } from './placeholder-ledger.ts'
import type { UrlRewriter } from './redact-url.ts'
import { kindOfName } from './secret-names.ts'
import { textFormOf } from './text-form.ts'
import type { TextRewriter } from './text-rewriter.ts'
import { decodeUtf8 } from './utf8-text.ts'

export interface MultipartRules {
  readonly rewriter: TextRewriter
  readonly urls: UrlRewriter
  readonly ledger: PlaceholderLedger
}

/**
 * A multipart body with the same parts in the same envelope. Fields that are secret by name are replaced whole, text
 * is searched, other bytes stay. The same array where nothing was found; undefined where it is no multipart body.
 */
export function redactMultipart(bytes: Uint8Array, boundary: string, rules: MultipartRules): Uint8Array | undefined {
  // One unit a byte: the envelope is ASCII, and what the parts hold comes back as it was.
  const text = asBuffer(bytes).toString('latin1')
  const delimiter = `--${boundary}`
  const sections = text.split(delimiter)
  if (sections.length < 2) return undefined
  const rewritten = sections.map((section, index) => (index === 0 ? section : redactSection(section, rules)))
  const joined = rewritten.join(delimiter)
  return joined === text ? bytes : new Uint8Array(Buffer.from(joined, 'latin1'))
}

/** What stands between two delimiters: line break, head, blank line, content, line break. */
function redactSection(section: string, rules: MultipartRules): string {
  const [, head, content, end] = /^(\r?\n.*?\r?\n\r?\n)(.*?)(\r?\n?)$/s.exec(section) ?? []
  if (head === undefined || content === undefined) return section
  return redactLatin1(head, rules) + redactContent(head, content, rules) + (end ?? '')
}

function redactContent(head: string, content: string, rules: MultipartRules): string {
  const name = /^content-disposition:.*?[;\s]name="([^"]*)"/im.exec(head)?.[1]
  if (name === undefined || !rules.urls.isSecretField(name)) return redactLatin1(content, rules)
  if (content === '' || isPlaceholder(content)) return content
  const secret = decodeUtf8(Buffer.from(content, 'latin1'))?.text ?? content
  return rules.ledger.placeholderFor(kindOfName(name), secret)
}

function redactLatin1(latin1: string, { rewriter }: MultipartRules): string {
  const decoded = decodeUtf8(Buffer.from(latin1, 'latin1'))
  if (decoded === undefined || decoded.tail.length > 0) return latin1
  const rewritten = rewriter.rewrite(decoded.text, textFormOf(decoded.text, undefined))
  return rewritten === decoded.text ? latin1 : Buffer.from(rewritten).toString('latin1')
}
