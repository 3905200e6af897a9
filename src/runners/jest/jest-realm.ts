/** What the entries hand over of the realm they were loaded in: Jest gives each test file a global object of its own. */
export interface JestRealm {
  readonly global: typeof globalThis
  readonly expect: JestExpect
  /** Jest's own `test`. */
  readonly test: TestFunction
  readonly beforeAll: (hook: () => void) => void
  readonly afterAll: (hook: () => void) => void
  readonly afterEach: (hook: () => Promise<void>, timeoutMs: number) => void
  /** The file's own `require`; undefined in an ES module. */
  readonly require: ((path: string) => unknown) | undefined
}

/** Any `test` or `it` of Jest, from the globals or from `@jest/globals`. */
export type TestFunction = (name: string, fn: never, timeoutMs?: number) => unknown

interface JestExpect {
  readonly extend: (matchers: object) => void
  readonly getState: () => { readonly testPath?: string | undefined; readonly snapshotState?: unknown }
}
