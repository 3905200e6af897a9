/** Which connections undici opens, of whatever copy and in whatever module system: it says so just before. */
import { subscribe } from 'node:diagnostics_channel'

let announced: string | undefined
let isWatching = false

/** Once per process. */
export function watchUndiciConnects(): void {
  if (isWatching) return
  isWatching = true
  subscribe('undici:client:beforeConnect', (message) => {
    const { connectParams } = message as { readonly connectParams?: { readonly hostname?: string } }
    announced = connectParams?.hostname
  })
}

/** True where undici has just announced a connection to this host; asked once, right as it opens. */
export function isOfUndici(host: string): boolean {
  const isSame = announced !== undefined && announced.replace(/^\[|\]$/g, '') === host
  announced = undefined
  return isSame
}
