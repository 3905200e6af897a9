/**
 * True where a fake clock has replaced the timers that a realm's code sees: a live call may hang on them for ever. Known
 * are the clock that both runners use, and the legacy one of Jest, which puts mocks in the place of all timers; a spy on
 * one of them is no fake clock. A faked `Date` alone does no harm.
 */
export function hasFakeTimers(realm: object): boolean {
  const timers = names.map((name): unknown => Reflect.get(realm, name))
  if (timers.some((timer) => typeof timer === 'function' && 'clock' in timer)) return true
  const legacy = [...timers.slice(0, 2), Reflect.get(realm, 'clearTimeout'), Reflect.get(realm, 'clearInterval')]
  return legacy.every((timer) => typeof timer === 'function' && '_isMockFunction' in timer)
}

const names = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
