/**
 * The versions of the format (F18). Each says what a file of it may hold and how it becomes one of the next version; what it
 * says is never edited once it is released. Knows no file and no text: a file here is the value that its JSON stands for.
 */
import type { Shape } from '../shape.ts'

export interface FormatVersion {
  /** `turntape/1` */
  readonly format: string
  /** What `requires` may name: parts of the format that were added after the version was released. */
  readonly features: ReadonlySet<string>
  /** What a file must look like, member by member. */
  readonly shape: Shape
  /** What the members of a file of that shape must agree in. */
  readonly rules: Shape
  /** A checked file as one of the next version, in plain data; absent: this is the newest. Pure, and does not throw. */
  readonly lift?: (file: unknown) => unknown
}

/** Oldest first; the last is the one that is written. */
export type FormatVersions = readonly [FormatVersion, ...FormatVersion[]]

export type FoundFormat =
  | { readonly kind: 'known'; readonly version: FormatVersion }
  /** Written by a later release, or it requires what this one does not know. */
  | { readonly kind: 'newer'; readonly found: string; readonly requires?: readonly string[] }
  /** Of a version before the first that was released. */
  | { readonly kind: 'unreleased'; readonly found: string }
  /** No cassette at all. */
  | { readonly kind: 'none' }

/** By which version's rules the file is to be read. */
export function findFormat(file: unknown, versions: FormatVersions): FoundFormat {
  const { format, requires } = membersOf(file)
  const version = versions.find((candidate) => candidate.format === format)
  if (version !== undefined) {
    const unknown = isNames(requires) ? requires.filter((name) => !version.features.has(name)) : []
    return unknown.length === 0
      ? { kind: 'known', version }
      : { kind: 'newer', found: version.format, requires: unknown }
  }
  const number = versionNumber(format)
  if (typeof format !== 'string' || number === undefined) return { kind: 'none' }
  const isNewer = number > (versionNumber(newest(versions).format) ?? 0)
  return { kind: isNewer ? 'newer' : 'unreleased', found: format }
}

export function newest(versions: FormatVersions): FormatVersion {
  return versions.at(-1) ?? versions[0]
}

/** The versions that a file of this one goes through, itself left out. */
export function laterThan(version: FormatVersion, versions: FormatVersions): readonly FormatVersion[] {
  return versions.slice(versions.indexOf(version) + 1)
}

function membersOf(file: unknown): { readonly format?: unknown; readonly requires?: unknown } {
  return typeof file === 'object' && file !== null ? file : {}
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}

function versionNumber(format: unknown): number | undefined {
  const digits = typeof format === 'string' ? /^turntape\/(0|[1-9]\d{0,8})$/.exec(format)?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}
