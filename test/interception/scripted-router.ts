/** A router for tests: passes, observes, serves or rejects as the test says, and remembers what it was asked. */
import { onTestFinished } from 'vitest'
import type { CapturedRequest } from '../../src/core/capture/captured-request.ts'
import { type Interception, installInterception } from '../../src/interception/install-interception.ts'
import type {
  ExchangeObserver,
  ObservedHead,
  Router,
  ServedBody,
  ServedResponse,
  Verdict,
} from '../../src/interception/router.ts'

export interface ScriptedRouter extends Router {
  readonly routed: CapturedRequest[]
  readonly peeked: Parameters<Router['peek']>[0][]
  readonly connects: { readonly host: string; readonly port: number | undefined }[]
}

export function scriptedRouter(script: {
  readonly peek?: Router['peek']
  readonly route?: (request: CapturedRequest) => Verdict | Promise<Verdict>
  readonly connect?: (target: { readonly host: string; readonly port: number | undefined }) => Error | undefined
}): ScriptedRouter {
  const routed: CapturedRequest[] = []
  const peeked: Parameters<Router['peek']>[0][] = []
  const connects: { host: string; port: number | undefined }[] = []
  return {
    routed,
    peeked,
    connects,
    peek(head) {
      peeked.push(head)
      return script.peek?.(head) ?? 'read'
    },
    route(request) {
      routed.push(request)
      return script.route?.(request) ?? { kind: 'pass' }
    },
    connect(target) {
      connects.push(target)
      return script.connect?.(target)
    },
  }
}

/** Installed, every road laid, until the test is over. */
export function installed<R extends Router>(router: R): R & { readonly interception: Interception } {
  const interception = installInterception(router)
  interception.ensure()
  onTestFinished(() => interception.uninstall())
  return Object.assign(router, { interception })
}

/** What an observer was told, in order and in words. */
export class Witness implements ExchangeObserver {
  readonly told: string[] = []
  readonly chunks: Uint8Array[] = []
  heads: ObservedHead[] = []
  error: unknown
  waits = 0
  waiting = false

  get text(): string {
    return Buffer.concat(this.chunks).toString()
  }

  get ended(): string | undefined {
    return this.told.find((word) => word === 'end' || word === 'fail' || word === 'cancel')
  }

  head(head: ObservedHead): void {
    this.told.push('head')
    this.heads.push(head)
  }

  chunk(bytes: Uint8Array): void {
    this.told.push('chunk')
    this.chunks.push(bytes)
  }

  reading(waiting: boolean): void {
    this.waiting = waiting
    if (waiting) this.waits += 1
  }

  end(): void {
    this.told.push('end')
  }

  fail(error: unknown): void {
    this.told.push('fail')
    this.error = error
  }

  cancel(reason?: unknown): void {
    this.told.push('cancel')
    this.error = reason
  }
}

/** Everything is observed by one witness. */
export function witnessed(): {
  readonly router: ScriptedRouter & { readonly interception: Interception }
  readonly witness: Witness
} {
  const witness = new Witness()
  const router = installed(scriptedRouter({ route: () => ({ kind: 'observe', observer: witness }) }))
  return { router, witness }
}

export function served(
  chunks: readonly string[],
  options: Partial<ServedResponse> & Partial<ServedBody> = {},
): ServedResponse {
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk))
  const { end = { kind: 'close' }, cancelled, readPast, next, ...response } = options
  return {
    status: 200,
    statusText: 'OK',
    headers: [['content-type', 'text/event-stream']],
    url: 'https://api.example.com/v1/chat',
    redirected: false,
    body: {
      next: next ?? (() => left.shift()),
      end,
      ...(cancelled === undefined ? {} : { cancelled }),
      ...(readPast === undefined ? {} : { readPast }),
    },
    ...response,
  }
}

/** Everything is answered with this. */
export function serving(response: () => ServedResponse): ScriptedRouter & { readonly interception: Interception } {
  return installed(scriptedRouter({ route: () => ({ kind: 'respond', response: response() }) }))
}
