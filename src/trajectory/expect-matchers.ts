/** The matchers on tapes and opened cassettes as `expect.extend` of any runner takes them. */
import {
  calledTool,
  type ExpectedCall,
  finalText,
  type MatchResult,
  type TokenBudget,
  type TrajectoryMode,
  trajectoryLike,
  withinBudget,
} from './trajectory-matchers.ts'

/** Of `expect(tape)` (this run so far) and `expect(openCassette(path))`. */
export interface TrajectoryMatchers<R> {
  /** Some turn called this tool; with `args`, with equal arguments (asymmetric matchers allowed). */
  toHaveCalledTool(name: string, args?: unknown): R
  /**
   * The tool calls of all turns. `strict` (default): these, in this order; `unordered`: these; `subset`: none but these;
   * `superset`: all of these, and perhaps more.
   */
  toHaveTrajectory(calls: readonly ExpectedCall[], options?: { readonly mode?: TrajectoryMode }): R
  /** Tokens of all turns, folds included. Errors: TURNTAPE_USAGE where a turn says no usage, so that it cannot be told. */
  toUseAtMost(budget: TokenBudget): R
  /** The text of the last turn: equal to a text, matched by a pattern or by an asymmetric matcher. */
  toHaveFinalText(expected: unknown): R
}

interface MatcherThis {
  readonly equals: (actual: unknown, expected: unknown, customTesters?: never[]) => boolean
  readonly customTesters: unknown[]
}

function matching(self: MatcherThis, matcher: string, received: unknown): Parameters<typeof finalText>[0] {
  const equals = (actual: unknown, expected: unknown): boolean =>
    self.equals(actual, expected, self.customTesters as never[])
  return { matcher, received, equals }
}

export const expectMatchers = {
  toHaveCalledTool(this: MatcherThis, received: unknown, name: string, ...args: readonly unknown[]): MatchResult {
    const wanted = args.length === 0 ? {} : { arguments: [args[0]] as const }
    return calledTool(matching(this, 'toHaveCalledTool', received), { name, ...wanted })
  },
  toHaveTrajectory(
    this: MatcherThis,
    received: unknown,
    expected: readonly ExpectedCall[],
    { mode = 'strict' }: { readonly mode?: TrajectoryMode } = {},
  ): MatchResult {
    return trajectoryLike(matching(this, 'toHaveTrajectory', received), { expected, mode })
  },
  toUseAtMost(this: MatcherThis, received: unknown, budget: TokenBudget): MatchResult {
    return withinBudget(matching(this, 'toUseAtMost', received), budget)
  },
  toHaveFinalText(this: MatcherThis, received: unknown, expected: unknown): MatchResult {
    return finalText(matching(this, 'toHaveFinalText', received), expected)
  },
}
