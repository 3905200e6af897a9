/**
 * Puts every road under one router and takes it off again. Wrappers never stack: they find the router at each call,
 * so a second install (another copy of the package, a new vm context, a setup file run again) only changes who decides.
 */
import { installDispatcherRoad, uninstallDispatcherRoad } from './dispatcher/dispatcher-road.ts'
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
   * Call it before each test.
   */
  ensure(): void
}

/**
 * Installs the roads of a realm, given by its global object (default: this one), and the socket guard. Loads Node's undici (tens
 * of ms), where nothing else has.
 * A Proxy takes the place of `fetch`, so its name, length and properties stay as they were.
 */
export function installInterception(router: Router, realm: typeof globalThis = globalThis): Interception {
  const { routers } = interceptionState()
  routers.push(router)
  layRoads(realm)
  installSocketGuard()
  watchOwnServers()
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
      layRoads(realm)
      installUndiciClients()
    },
  }
}

function layRoads(realm: typeof globalThis): void {
  installFetchRoad(realm)
  installNodeHttpRoad()
  installDispatcherRoad(realm)
  installHttp2Road()
}
