/** A stretch of a text that must not be stored, in UTF-16 units. */
export type Span = SecretSpan | PathSpan

export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
  /** The secret itself, decoded where its place encodes it: it tells two secrets apart and is kept in memory only. */
  readonly secret: string
}

export interface PathSpan {
  readonly start: number
  readonly end: number
  readonly placeholder: string
}

/**
 * Spans in order, none overlapping. Of two that overlap the one that starts first wins, of two that start together the
 * longer, of two equal ones the first given; the winner grows over what hangs out, so that no end of a secret is left.
 */
export function resolveSpans(text: string, spans: readonly Span[]): Span[] {
  if (spans.length < 2) return [...spans]
  const resolved: Span[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = resolved.at(-1)
    if (last === undefined || span.start >= last.end) resolved.push(span)
    else if (span.end > last.end) resolved[resolved.length - 1] = grow(text, last, span)
  }
  return resolved
}

function grow(text: string, first: Span, second: Span): Span {
  const { start } = first
  const { end } = second
  if ('kind' in first) return { start, end, kind: first.kind, secret: text.slice(start, end) }
  return { start, end, kind: 'kind' in second ? second.kind : 'path', secret: text.slice(start, end) }
}

interface Range {
  readonly start: number
  readonly end: number
}

/** The spans, in order, that touch none of the ranges; these are in order and do not overlap. */
export function outside<S extends Span>(spans: readonly S[], ranges: readonly Range[]): readonly S[] {
  return keepBeside(spans, ranges, (span, range) => span.end <= range.start)
}

/** The spans, in order, that do not begin inside of a range; one may begin where a range does. */
export function startingOutside<S extends Span>(spans: readonly S[], ranges: readonly Range[]): readonly S[] {
  return keepBeside(spans, ranges, (span, range) => span.start <= range.start)
}

/** `keeps` judges a span by the first range that ends behind its start. */
function keepBeside<S extends Span>(
  spans: readonly S[],
  ranges: readonly Range[],
  keeps: (span: S, range: Range) => boolean,
): readonly S[] {
  if (ranges.length === 0) return spans
  let at = 0
  return [...spans]
    .sort((a, b) => a.start - b.start)
    .filter((span) => {
      while (at < ranges.length && (ranges[at] as Range).end <= span.start) at += 1
      const range = ranges[at]
      return range === undefined || keeps(span, range)
    })
}
