import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { namesSdk, sdkVersions } from './sdk-versions.ts'

/** The SDKs that the requests of one test name. What they say is read when it is asked for, which most runs never do. */
export class SeenSdks {
  readonly #versionOf: (packageName: string) => string | undefined
  /** Headers of requests that name others than the one before. */
  readonly #seen: CapturedRequest['headers'][] = []
  #last = ''

  constructor(versionOf: (packageName: string) => string | undefined) {
    this.#versionOf = versionOf
  }

  see({ headers }: CapturedRequest): void {
    let named = ''
    for (const [name, value] of headers) if (namesSdk(name)) named += `${name}: ${value}\n`
    if (named === this.#last) return
    this.#last = named
    this.#seen.push(headers.filter(([name]) => namesSdk(name)))
  }

  /** By package name; the last request counts. */
  get versions(): Readonly<Record<string, string>> {
    return Object.assign({}, ...this.#seen.map((headers) => sdkVersions({ headers }, this.#versionOf)))
  }
}
