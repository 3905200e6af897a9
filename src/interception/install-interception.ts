/**
 * Puts every road under one router and takes it off again. Wrappers never stack: they find the router at each call,
 * so a second install (another copy of the package, a new vm context, a setup file run again) only changes who decides.
 */
import { installDispatcherRoad, isUndiciLoaded, uninstallDispatcherRoad } from './dispatcher/dispatcher-road.ts'
import { installUndiciClients, uninstallUndiciClients } from './dispatcher/undici-clients.ts'
import { installFetchRoad, uninstallFetchRoad } from './fetch/fetch-road.ts'
import { installHttp2Road, uninstallHttp2Road } from './http2/http2-road.ts'
import { installNodeHttpRoad, uninstallNodeHttpRoad } from './node-http/node-http-road.ts'
import { interceptionState } from './realm.ts'
import type { Router } from './router.ts'
import { watchOwnServers } from './sockets/own-servers.ts'
import { installSocketGuard } from './sockets/socket-guard.ts'

export interface Interception {
  /** Gives the decision back to the router installed before; the last one to go opens the roads. Twice does nothing. */
  uninstall(): void
  /**
   * Puts back what user code replaced since (`globalThis.fetch = …`, `setGlobalDispatcher`): what is there now is wrapped.
   * Call it before each test. It also lays the roads of the dispatcher and of HTTP/2, which loads Node's undici (tens of ms), where
   * `install` did not.
   */
  ensure(): void
}

/**
 * Installs the roads of a realm, given by its global object (default: this one): `fetch`, the socket guard, and the
 * dispatcher and HTTP/2 where undici is already loaded.
 * A Proxy takes the place of `fetch`, so its name, length and properties stay as they were.
 */
export function installInterception(router: Router, realm: typeof globalThis = globalThis): Interception {
  const { routers } = interceptionState()
  routers.push(router)
  installFetchRoad(realm)
  installNodeHttpRoad()
  installSocketGuard()
  watchOwnServers()
  // undici has loaded `node:http2` as well.
  if (isUndiciLoaded()) {
    installDispatcherRoad(realm)
    installHttp2Road()
  }
  let installed = true
  return {
    uninstall() {
      if (!installed) return
      installed = false
      routers.splice(routers.lastIndexOf(router), 1)
      if (routers.length > 0) return
      uninstallFetchRoad(realm)
      uninstallNodeHttpRoad()
      uninstallDispatcherRoad(realm)
      uninstallHttp2Road()
      uninstallUndiciClients()
    },
    ensure() {
      if (!installed) return
      installFetchRoad(realm)
      installNodeHttpRoad()
      installDispatcherRoad(realm)
      installHttp2Road()
      installUndiciClients()
    },
  }
}
