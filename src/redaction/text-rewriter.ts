/**
 * Finds all that must not be stored in one text, by every rule, and puts placeholders there. Knows texts only: what a
 * request, a header or a stream is, others know.
 */
import { findAssignments } from './find-assignments.ts'
import { createMemberFinder } from './find-members.ts'
import { createPathFinder, type MachineFolders } from './find-paths.ts'
import { findPatterns, type TextForm } from './find-patterns.ts'
import { findShapes, findShapesInJson } from './find-shapes.ts'
import { findUrlSecrets } from './find-url-secrets.ts'
import { joinedChannels, pieceRanges } from './joined-channels.ts'
import { placeholdersIn } from './placeholder.ts'
import type { PlaceholderLedger } from './placeholder-ledger.ts'
import type { CheckedRedactOptions } from './redact-options.ts'
import { type Replacement, replaceIn } from './replacement.ts'
import { pathsOfPieces, splitValues } from './separate-values.ts'
import { outside, resolveSpans, type Span, startingOutside } from './span.ts'
import { splitOverPieces } from './split-over-pieces.ts'

export interface TextRewriter {
  /** The text with placeholders; the same string where nothing was found. */
  rewrite(text: string, form: TextForm): string
  /** What to replace in a text that may be a stream, in order: also what is cut over several of its events. */
  streamReplacements(text: string, form: TextForm): Replacement[]
}

export interface TextRules {
  readonly folders: MachineFolders
  readonly options: CheckedRedactOptions
  readonly ledger: PlaceholderLedger
}

export function createTextRewriter({ folders, options, ledger }: TextRules): TextRewriter {
  const findMembers = createMemberFinder(options.keys)
  const findPaths = createPathFinder(folders)
  const placeholderOf = (span: Span): string =>
    'placeholder' in span ? span.placeholder : ledger.placeholderFor(span.kind, span.secret)

  const findSecrets = (text: string, form: TextForm): readonly Span[] =>
    outsidePlaceholders(text, [
      ...(form === 'json' ? findShapesInJson(text) : findShapes(text)),
      ...findUrlSecrets(text),
      ...findAssignments(text),
      ...findPatterns(text, form, options.patterns),
    ])
  // Of equal spans the first given wins: a key under a telling name is called by its shape, a path there is a secret.
  const find = (text: string, form: TextForm): Span[] =>
    resolveSpans(text, [...findSecrets(text, form), ...findMembers(text), ...findPaths(text)])
  const replace = (spans: readonly Span[]): Replacement[] =>
    spans.map((span) => ({ start: span.start, end: span.end, text: placeholderOf(span) }))

  return {
    rewrite: (text, form) => replaceIn(text, replace(find(text, form))),
    streamReplacements(text, form) {
      const channels = joinedChannels(text).flatMap(splitValues)
      if (channels.length === 0) return replace(find(text, form))
      const joined = channels.flatMap((channel) => {
        const spans = [...find(channel.text, 'text'), ...pathsOfPieces(channel, findPaths)]
        return resolveSpans(channel.text, spans).flatMap((span) => splitOverPieces(channel, span, placeholderOf(span)))
      })
      // Of a string that goes on in other events the joined text decides alone: `/tmp` is no folder after `src`. What
      // the events themselves say, a member of theirs that is secret by name, stands beside that.
      const pieces = pieceRanges(channels)
      const beside = [
        ...outside(findSecrets(text, form), pieces),
        ...startingOutside(findMembers(text), pieces),
        ...outside(findPaths(text), pieces),
      ]
      return mergeReplacements(joined, resolveSpans(text, beside), placeholderOf)
    },
  }
}

/** What stands in a placeholder is no secret: redacting twice changes nothing. */
function outsidePlaceholders<S extends Span>(text: string, spans: readonly S[]): readonly S[] {
  return spans.length === 0 ? spans : outside(spans, placeholdersIn(text))
}

/** What was found in the joined text is the whole of what was also found in a piece. */
function mergeReplacements(
  cut: readonly Replacement[],
  spans: readonly Span[],
  placeholderOf: (span: Span) => string,
): Replacement[] {
  const sorted = [...cut].sort((a, b) => a.start - b.start)
  const merged = [...sorted]
  let at = 0
  for (const span of spans) {
    while (at < sorted.length && (sorted[at] as Replacement).end <= span.start) at += 1
    const next = sorted[at]
    if (next !== undefined && next.start < span.end) continue
    merged.push({ start: span.start, end: span.end, text: placeholderOf(span) })
  }
  return merged.sort((a, b) => a.start - b.start)
}
