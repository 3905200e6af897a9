/** Every combination of runner, form and Node that is supported: the cells of the matrix. */
import type { Runner } from './runner-project.ts'

export interface Cell {
  readonly runner: Runner
  readonly node: string
}

const presentNode = process.versions.node

const nodes = ['20.20.2', '22.23.3', '24.21.0']

/** Vitest 5 needs Node 22. */
const vitestVersions: readonly { readonly version: string; readonly nodes: readonly string[] }[] = [
  { version: '3.2.7', nodes },
  { version: '4.1.12', nodes },
  { version: '5.1.2', nodes: nodes.slice(1) },
]

const vitestForms: Readonly<Record<string, readonly string[]>> = {
  forks: ['--pool=forks'],
  threads: ['--pool=threads'],
  vmThreads: ['--pool=vmThreads'],
  vmForks: ['--pool=vmForks'],
  'forks, no isolation': ['--pool=forks', '--no-isolate'],
  'threads, no isolation': ['--pool=threads', '--no-isolate'],
}

const jestVersions = ['29.7.0', '30.5.2']

const allCells: readonly Cell[] = [
  ...vitestVersions.flatMap(({ version, nodes: supported }) =>
    Object.values(vitestForms).flatMap((form) =>
      supported.map((node): Cell => ({ runner: { name: 'vitest', version, form }, node })),
    ),
  ),
  ...jestVersions.flatMap((version) =>
    (['cjs', 'esm'] as const).flatMap((form) =>
      nodes.map((node): Cell => ({ runner: { name: 'jest', version, form }, node })),
    ),
  ),
]

/** What every run of the tests looks at: one of each kind, on the Node at hand. */
const slice: readonly Cell[] = [
  { runner: { name: 'vitest', version: '3.2.7', form: ['--pool=forks'] }, node: presentNode },
  { runner: { name: 'vitest', version: '4.1.12', form: ['--pool=vmThreads'] }, node: presentNode },
  { runner: { name: 'jest', version: '30.5.2', form: 'cjs' }, node: presentNode },
]

/** `TURNTAPE_MATRIX`: unset, the slice; `full`, every cell; anything else, the cells whose names hold it. */
export function cellsToRun(wanted = process.env.TURNTAPE_MATRIX): readonly Cell[] {
  if (!wanted) return slice
  return wanted === 'full' ? allCells : allCells.filter((cell) => nameOf(cell).includes(wanted))
}

function formOf({ form }: Runner): string {
  if (typeof form === 'string') return form === 'cjs' ? 'CommonJS' : 'ESM'
  return Object.entries(vitestForms).find(([, args]) => args.join() === form.join())?.[0] ?? form.join(' ')
}

export function nameOf({ runner, node }: Cell): string {
  return `${runner.name} ${runner.version}, ${formOf(runner)}, Node ${node}`
}
