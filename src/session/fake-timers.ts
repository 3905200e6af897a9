/**
 * Names of the global timers that a fake clock (the one both runners use) has replaced. A live call cannot run on
 * them: on a kept-alive connection it hangs for ever. A faked `Date` alone does no harm.
 */
export function fakedTimers(scope: object = globalThis): readonly string[] {
  const names = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask']
  return names.filter((name) => {
    const timer: unknown = Reflect.get(scope, name)
    return typeof timer === 'function' && 'clock' in timer
  })
}
