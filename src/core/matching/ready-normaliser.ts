import type { Normaliser } from './normaliser.ts'

/** A ready-made normaliser as data: what it takes to make it again elsewhere. */
export interface ReadyNormaliser {
  readonly ready: string
  readonly args: readonly (string | RegExp)[]
}

const key = Symbol.for('turntape.ready-normaliser')

/** Marks a ready-made normaliser, so that it can travel from the configuration to the workers. */
export function ready(name: string, args: ReadyNormaliser['args'], normaliser: Normaliser): Normaliser {
  return Object.assign(normaliser, { [key]: { ready: name, args } })
}

/** What a ready-made normaliser is made of; undefined for any other function. */
export function readyOf(normaliser: Normaliser): ReadyNormaliser | undefined {
  return (normaliser as { [key]?: ReadyNormaliser })[key]
}
