// @ts-check
/**
 * Words that do not repeat: what a model or tool says anew each time. Same seed, same words. A seed of zero gives zeros.
 * @param {number} seed
 * @returns {(characters: number) => string}
 */
export function wordsFrom(seed) {
  let state = seed
  const next = () => {
    // xorshift32: no short cycles in its low bits, unlike the usual one-liner.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  return (characters) => {
    let text = ''
    while (text.length < characters) text += `${next().toString(36)} `
    return text.slice(0, characters)
  }
}
