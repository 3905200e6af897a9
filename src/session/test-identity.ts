/** Which test a session belongs to, and where its cassette is. Made by the runner layer. */
export interface TestIdentity {
  /** Describe names and the test's own, outermost first. */
  readonly names: readonly string[]
  /** `names` joined with ` > `. */
  readonly fullName: string
  /** The test file, POSIX, relative to `root`. */
  readonly file: string
  /** Absolute path of the package root. */
  readonly root: string
  /** The cassette, POSIX, relative to `root`. */
  readonly cassette: string
  /** The cassettes that the path rule gives to all tests of the file, whatever filters run; the same array for all of them. */
  readonly ofFile: () => readonly string[]
  /** True: a retry in the same run. It may pay again and does not start from a pending recording. */
  readonly retry: boolean
  /** True: a later pass of a repeated test. It replays what the first pass wrote, also in `record`. */
  readonly repeat: boolean
}
