/**
 * What we use of Jest's runner, jest-circus: its state lies on the global object of the test file, under a symbol of its
 * own. That is internal to Jest; where it cannot be found, or looks otherwise, we say so instead of guessing.
 */
import { ReplayError } from '../../errors/replay-error.ts'

export interface CircusTest {
  readonly type: 'test'
  readonly name: string
  readonly parent: DescribeBlock
  readonly concurrent: boolean
  readonly failing: boolean
  /** Made where the test was defined. */
  readonly asyncError: Error
  /** Undefined: to do, or skipped without a function. */
  fn?: CircusFunction
  /** Of this attempt: each an error, or with it the one of where it was defined. */
  errors: unknown[]
}

export interface DescribeBlock {
  readonly type: 'describeBlock'
  readonly name: string
  readonly parent?: DescribeBlock
  readonly children: readonly (DescribeBlock | CircusTest)[]
  readonly hooks: CircusHook[]
}

interface CircusHook {
  readonly type: 'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach'
  fn: CircusFunction
}

export type CircusFunction = (this: unknown, done?: unknown) => unknown

export interface CircusState {
  readonly rootDescribeBlock: DescribeBlock
  readonly currentDescribeBlock: DescribeBlock
  readonly currentlyRunningTest: CircusTest | null | undefined
}

/** Under which symbol a realm has its state: a global object has hundreds of members to look through. */
const symbols = new WeakMap<object, symbol>()

/** Errors: TURNTAPE_USAGE where this is not Jest, or another runner inside Jest. */
export function circusState(global: object): CircusState {
  const symbol = symbols.get(global) ?? stateSymbol(global)
  const state: unknown = symbol === undefined ? undefined : Reflect.get(global, symbol)
  if (isState(state)) return state
  throw new ReplayError('TURNTAPE_USAGE', {
    problem: 'turntape/jest was loaded where Jest does not run a test file with jest-circus',
    remedy: 'Import it in test files, and leave the option testRunner of Jest at its default (jest-circus).',
  })
}

function stateSymbol(global: object): symbol | undefined {
  const symbol = Object.getOwnPropertySymbols(global).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  if (symbol !== undefined) symbols.set(global, symbol)
  return symbol
}

function isState(state: unknown): state is CircusState {
  if (typeof state !== 'object' || state === null) return false
  const root: unknown = Reflect.get(state, 'rootDescribeBlock')
  return typeof root === 'object' && root !== null && Array.isArray(Reflect.get(root, 'hooks'))
}

/** Every test below a block, in the order of the file. */
export function testsOf(block: DescribeBlock): readonly CircusTest[] {
  return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsOf(child)))
}

/** The block and those above it, outermost first. */
export function blocksAbove({ parent }: CircusTest): readonly DescribeBlock[] {
  const blocks: DescribeBlock[] = []
  for (let at: DescribeBlock | undefined = parent; at !== undefined; at = at.parent) blocks.unshift(at)
  return blocks
}

/** Describe names and the test's own, outermost first. */
export function namesOf(test: CircusTest): readonly string[] {
  return [...blocksAbove(test).slice(1), test].map(({ name }) => name)
}
