/** The other side of `collected-tests.ts`: runs in a process of its own, in the folder of the runner. */
import { pathToFileURL } from 'node:url'
import type { CollectedFile, CollectedTest, Collection } from './collection.ts'
import { vitestNodeModule } from './find-vitest.ts'

/** Sends a `Collection` to the parent and ends the process. */
export async function collectTests(filters: readonly string[]): Promise<never> {
  const module: unknown = await import(pathToFileURL(vitestNodeModule(process.cwd())).href)
  const vitest = await (module as VitestNode).createVitest('test', { watch: false, run: true, root: process.cwd() })
  // Version 5 reads the names out of the text of the files otherwise, and knows none that is computed.
  const { testModules, unhandledErrors } = await vitest.collect([...filters], { staticParse: false })
  const collection: Collection = { files: testModules.map(collectedFile), unhandledErrors: unhandledErrors.length }
  await new Promise((resolve) => process.send?.(collection, resolve))
  await vitest.close()
  // Whatever a configuration left running must not keep the parent waiting.
  process.exit(0)
}

/** What is used of `vitest/node`; its types would make every user of the CLI need Vitest. */
interface VitestNode {
  createVitest(mode: 'test', options: object): Promise<Vitest>
}

interface Vitest {
  collect(
    filters: string[],
    options: { readonly staticParse: boolean },
  ): Promise<{ readonly testModules: readonly Module[]; readonly unhandledErrors: readonly unknown[] }>
  close(): Promise<void>
}

interface Suite {
  readonly type: 'suite' | 'module'
  readonly name: string
  readonly parent: Suite
  errors(): readonly unknown[]
}

interface Test extends Pick<Suite, 'name' | 'parent'> {
  readonly options: { readonly mode: string }
}

interface Module extends Suite {
  readonly moduleId: string
  readonly project: { readonly config: { readonly root: string; readonly dir?: string } }
  state(): string
  readonly children: { allTests(): Iterable<Test>; allSuites(): Iterable<Suite> }
}

function collectedFile(module: Module): CollectedFile {
  const { root, dir } = module.project.config
  const suites = [module, ...module.children.allSuites()]
  return {
    file: module.moduleId.replaceAll('\\', '/'),
    folder: dir ?? root,
    failed: module.state() === 'failed' || suites.some((suite) => suite.errors().length > 0),
    tests: [...module.children.allTests()].map(collectedTest),
  }
}

function collectedTest(test: Test): CollectedTest {
  const names = [test.name]
  for (let at = test.parent; at.type === 'suite'; at = at.parent) names.unshift(at.name)
  return { names, skipped: test.options.mode === 'skip' || test.options.mode === 'todo' }
}
