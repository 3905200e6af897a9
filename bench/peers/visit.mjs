/** Looks once at each name and value, as any check of a file must. Gives how many there are. @param {unknown} value @returns {number} */
export function visit(value) {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  if (Array.isArray(value)) for (const item of value) count += visit(item)
  else for (const name in value) count += visit(/** @type {Record<string, unknown>} */ (value)[name])
  return count
}
