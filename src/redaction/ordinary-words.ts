/**
 * Names of people and machines that are words of a sentence too: found in one, they say nothing about anyone. They count
 * only where a name stands: in a path, an address, an assignment, or as the whole of a string.
 */
const ordinaryWords = new Set(
  `abbot amber angel apollo april archer atlas august autumn baker banks baron bill bishop brook brooks brown buck carter
  chance charity chase chip christian cliff cook cooper crystal daisy dale dawn dean destiny drew duke dusty earl earth
  eden faith ferry field fields fisher forest frank galaxy gene ginger glen gold grace grant gray green grey harmony heath
  heather hill holly hope house hunter iris jack jade jean jeans jerry jewel jimmy john josh jupiter justice king lake
  lance lane laurel leaf lily little long luna major mark mars marsh mason matt mercury mercy mike miles miller mint misty
  moon neptune nick norm nova ocean olive orion page park parker parks patience peace pearl penny phoenix pierce pilot
  pluto pope porter potter prince prudence rain ranger reed rich river robin rock rocky rose rowan rusty sage sandy saturn
  short silver singer skip skipper sky small smith snow solo star stern stone storm summer sunny taylor tiger titan tower
  trip turner union venus victor victory viola violet walker ward weaver west white will winter wolf wood woods young
  zeus`.split(/\s+/),
)

export function isOrdinaryWord(name: string): boolean {
  return ordinaryWords.has(name.toLowerCase())
}

/** True where the word at `[start, end)` stands as a name. A NUL is the border of a text. */
export function standsAsName(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 12), start)
  const [first = '\u0000', after = '\u0000'] = [text[start - 1], text[end]]
  if (after === '@' || '@~='.includes(first)) return true
  if (first === '(' && after === ')') return true
  if (first === '\u0000' && after === '\u0000') return true
  return /(?:home|users?)[/\\-]{1,4}$/i.test(before)
}
