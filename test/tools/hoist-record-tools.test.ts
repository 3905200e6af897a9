import { expect, test } from 'vitest'
import { hoistRecordTools } from '../../src/runners/vitest/hoist-record-tools.ts'

const factory = "async (original) => (await import('turntape/vitest')).recordTools(original)"

test.for([
  [
    "import { recordTools } from 'turntape/vitest'\nvi.mock(import('../src/tools'), recordTools)",
    `vi.mock(import('../src/tools'), ${factory})`,
  ],
  [
    'import { test, recordTools } from "turntape/vitest"\nvi.mock("../src/tools", recordTools)',
    `vi.mock("../src/tools", ${factory})`,
  ],
  [
    "import {\n  recordTools as $record,\n} from 'turntape/vitest'\nvi.mock(\n  import('./a'),\n  $record,\n)",
    `vi.mock(\n  import('./a'),\n  ${factory},\n)`,
  ],
])('vi.mock with recordTools gets a factory that imports it when it is called: %#', ([source, hoisted]) => {
  const result = hoistRecordTools(source!)
  expect(result?.slice(result.indexOf('vi.mock'))).toBe(hoisted)
  expect(result?.split('\n')).toHaveLength(source!.split('\n').length)
})

test.for([
  "import { recordTools } from './own'\nvi.mock(import('./tools'), recordTools)",
  "import { recordTools } from 'turntape/vitest'\nvi.mock(import('./tools'), () => recordTools({}))",
  "import { recordTools } from 'turntape/vitest'\nvi.mock(import('./tools'), recordToolsMyself)",
])('anything else stays as it is: %#', (source) => {
  expect(hoistRecordTools(source)).toBeUndefined()
})
