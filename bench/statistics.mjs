// Medians and spreads. Everything the bench says of time is a median of ratios taken inside one process.

/** @typedef {{ median: number, low: number, high: number, count: number }} Spread `low` to `high`: the middle half */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [upper = Number.NaN, lower = upper] = [sorted[middle], sorted[middle - 1]]
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2
}

/** @param {readonly number[]} values @returns {Spread} */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (/** @type {number} */ part) => sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN
  return { median: round(median(sorted)), low: round(at(0.25)), high: round(at(0.75)), count: sorted.length }
}

/** Three digits that count. @param {number} value */
export function round(value) {
  return Number(value.toPrecision(3))
}
