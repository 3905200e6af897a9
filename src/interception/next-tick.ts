import process from 'node:process'

/** Bound when this module loads: a test's fake timers may replace it later on. */
export const nextTick = process.nextTick
