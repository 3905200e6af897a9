/** Gives a Response that was built here what only a Response of the network has. */

export interface NetworkFacts {
  readonly url: string
  readonly redirected: boolean
  readonly type: Response['type']
  readonly status: number
}

/** A status the Response constructor takes; `dressResponse` shows the real one. */
export function buildableStatus(status: number): number {
  return status >= 200 && status <= 599 ? status : 200
}

/** Own members over the prototype's getters; clones are dressed alike. */
export function dressResponse(response: Response, facts: NetworkFacts): Response {
  const { url, redirected, type, status } = facts
  const clone = response.clone.bind(response)
  const members = {
    url,
    redirected,
    type,
    clone: () => dressResponse(clone(), facts),
    ...(status === response.status ? {} : { status, ok: status >= 200 && status <= 299 }),
  }
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(response, name, { value, configurable: true, enumerable: false, writable: true })
  }
  return response
}
