/**
 * Where a test is defined, told by its name when it has failed. Vitest could say it of every test beforehand (`includeTaskLocation`),
 * which takes a fifth of a millisecond of each, covered or not.
 */
import { readFileSync } from 'node:fs'
import { escapePattern } from '../../core/matching/escape-pattern.ts'

/** A call whose first argument is a text: `test('…'`, `it.each(rows)("…"`. */
const namedCall =
  /(?:(?<![\w$.])([\w$.]+)\s*|\)\s*)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g

/** What a runner puts in the place of these differs from test to test. */
const filledIn = /%[sdifjoO#$]|\$\{[^{}]*\}|\$[\w.]+/

/** `path:line:column` of the one call that names it so; undefined where there is none or there are several. */
export function definedAt(file: string, name: string): string | undefined {
  const source = sourceOf(file)
  const calls = [...source.matchAll(namedCall)].map((call) => ({ at: placeIn(call), text: textOf(call) }))
  const found =
    onlyOne(calls.filter(({ text }) => text === name)) ??
    onlyOne(calls.filter(({ text }) => patternOf(text)?.test(name)))
  if (found === undefined) return undefined
  const before = source.slice(0, found.at).split('\n')
  return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`
}

function sourceOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the place is a help, and no reason to fail in another way
  }
}

/** Of the name of the function; where a call made it, of the text. */
function placeIn(call: RegExpExecArray): number {
  return call[1] === undefined ? call.index + call[0].search(/['"`]/) : call.index
}

function textOf([, , single, double, template]: RegExpExecArray): string {
  return (single ?? double ?? template ?? '').replaceAll(/\\(['"`\\])/g, '$1')
}

/** Undefined for a text without gaps, and for one of gaps alone, which any test could have. */
function patternOf(text: string): RegExp | undefined {
  const parts = text.split(filledIn)
  if (parts.length === 1 || parts.every((part) => part.trim() === '')) return undefined
  return new RegExp(`^${parts.map(escapePattern).join('.*')}$`, 's')
}

function onlyOne<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined
}
