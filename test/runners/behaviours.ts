/**
 * What every runner in every form must do, written once. `runner.js` of the project gives each test file the same names,
 * whatever the runner; the names of the tests, and so the cassettes, are the same in every cell of the matrix.
 */

const client = `
export async function post(text) {
  const body = JSON.stringify({ model: 'small', messages: [{ role: 'user', content: text }] })
  const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
  return fetch(process.env.MODEL_URL + '/v1/chat/completions', { method: 'POST', headers, body })
}

export async function ask(text) {
  const response = await post(text)
  if (!response.ok) throw new Error('the model answered ' + response.status + ': ' + (await response.text()))
  return (await response.json()).choices[0].message.content
}

export async function askQuietly(text) {
  try {
    return await ask(text)
  } catch {
    return 'nothing'
  }
}
`

const imports = `
import { afterEach, beforeEach, describe, expect, failing, fake, plain, reload, replay, retrying, test, useReplay } from '../runner.js'
import { ask, askQuietly } from '../client.js'
`

export const files: Readonly<Record<string, string>> = {
  'client.js': client,

  'test/forms.test.js': `${imports}
test('wrapped', async ({ tape }) => {
  expect(await ask('wrapped')).toBe('answer to: wrapped')
  expect(tape.turns).toHaveLength(1)
  expect(tape).toHaveFinalText('answer to: wrapped')
})
test('wrapped without asking for the tape', async () => { await ask('not asked for') })
replay(plain, { order: 'any' })('wrapped by replay', async ({ tape }) => {
  await ask('by replay')
  expect(tape.turns).toHaveLength(1)
})
plain('covered from within', async () => {
  const tape = useReplay()
  await ask('within')
  expect(tape.turns).toHaveLength(1)
})
plain.concurrent('covered from within, concurrent', async () => {
  await null
  const tape = useReplay()
  await ask('within, concurrent')
  if (tape.turns.length !== 1) throw new Error('turns: ' + tape.turns.length)
})
describe('covered by its describe', () => {
  const tape = useReplay()
  beforeEach(async () => { await ask('before') })
  afterEach(async () => {
    await ask('after')
    expect(tape.turns).toHaveLength(3)
  })
  plain('a test', async () => {
    await ask('in a test')
    expect(tape.turns).toHaveLength(2)
  })
  describe('within', () => {
    plain('a test', async () => { await ask('in a test within') })
  })
})
describe('covered by a hook', () => {
  beforeEach(() => { useReplay() })
  plain('a test', async () => { await ask('by a hook') })
})
`,

  'test/file.test.js': `${imports}
useReplay()
beforeEach(async () => { await ask('before all of the file') })
plain('of a covered file', async () => { await ask('of a covered file') })
test('wrapped in a covered file', async ({ tape }) => {
  await ask('wrapped in a covered file')
  expect(tape.turns).toHaveLength(2)
})
`,

  'test/kinds.test.js': `${imports}
test.each([['a', 1], ['b', 2]])('each %s', async (letter, number) => { await ask('each ' + letter + number) })
test.for([{ letter: 'c' }, { letter: 'd' }])('for $letter', async ({ letter }, { tape }) => {
  await ask('for ' + letter)
  expect(tape.turns).toHaveLength(1)
})
test.for([['e', 5]])('for %s', async ([letter, number]) => { await ask('for ' + letter + number) })
test.skip('skipped', async () => { await ask('never') })
test.todo('to do')
failing(test)('to fail', async () => { expect(await ask('to fail')).toBe('something else') })
test('same', async () => { await ask('same 1') })
test('same', async () => { await ask('same 2') })
test('Same', async () => { await ask('same 3') })
describe('outer', () => {
  describe.each([1, 2])('inner %i', (number) => {
    test('same', async () => { await ask('nested ' + number) })
  })
})
for (const number of [1, 2, 3, 4]) {
  test.concurrent('concurrent ' + number, async ({ tape }) => {
    const first = await ask('concurrent ' + number)
    await Promise.all([ask('then ' + number), ask('and ' + number)])
    if (first !== 'answer to: concurrent ' + number || tape.turns.length !== 3) throw new Error('mixed up')
  })
}
test('asks nothing', () => {})
plain('not covered', () => {})
`,

  'test/only.test.js': `${imports}
test('left out', async () => { await ask('never') })
test.only('the only one', async () => { await ask('the only one') })
`,

  'test/retries.test.js': `${imports}
let attempt = 0
retrying('retried', 2, () => {
  test('passes at last', async ({ tape }) => {
    attempt += 1
    await ask(process.env.DIVERGE && attempt === 1 ? 'another question' : 'question')
    if (!process.env.CI && attempt === 1) throw new Error('not yet')
    expect(tape.turns).toHaveLength(1)
  })
})
`,

  'test/values.test.js': `${imports}
test('tools', async ({ tape }) => {
  const look = tape.tool('look', async (where) => {
    if (process.env.CI) throw new Error('a tool ran in replay')
    return { where, list: [1, { two: 2 }] }
  })
  const fail = tape.tool('fail', () => { throw Object.assign(new TypeError('no such place'), { code: 'E_PLACE' }) })
  expect(await look({ city: 'Oslo' })).toStrictEqual({ where: { city: 'Oslo' }, list: [1, { two: 2 }] })
  let thrown
  try { fail('nowhere') } catch (error) { thrown = error }
  expect(thrown instanceof TypeError).toBe(true)
  expect([thrown.message, thrown.code]).toEqual(['no such place', 'E_PLACE'])
})
test('replays under fake timers', async ({ tape }) => {
  if (process.env.CI) fake.useFakeTimers()
  try {
    expect(await ask('what time is it')).toBe('answer to: what time is it')
  } finally {
    fake.useRealTimers()
  }
})
plain('modules are reset within', async () => {
  const again = await reload()
  const tape = again.useReplay()
  await ask('after the reset')
  expect(tape.turns).toHaveLength(1)
})
`,

  'test/verdict.test.js': `${imports}
const changed = process.env.CHANGED ? ' changed' : ''
test('swallows the divergence', async () => { await askQuietly('one' + changed) })
test('fails by the divergence that an SDK throws', async () => { await ask('two' + changed) })
test('has an assertion after the divergence', async () => {
  expect(await askQuietly('three' + changed)).toBe('answer to: three')
})
describe('after a failure', () => {
  useReplay()
  afterEach(async () => { await askQuietly('four' + changed) })
  plain('has an assertion before the divergence', () => {
    if (process.env.CHANGED) expect('something').toBe('something else')
  })
})
failing(test)('is to fail, and not by a divergence', async () => {
  if ((await askQuietly('five' + changed)) === 'answer to: five') throw new Error('wanted')
  throw new Error('wanted as well')
})
test('asks for less', async () => {
  await ask('six')
  if (!process.env.CHANGED) await ask('seven')
})
test('asks for more', async () => {
  await ask('eight')
  if (process.env.CHANGED) await askQuietly('nine')
})
test.concurrent('swallows it, concurrent', async () => { await askQuietly('ten' + changed) })
describe('in a hook', () => {
  const tape = useReplay()
  afterEach(async () => { await askQuietly('eleven' + changed) })
  plain('swallows it after the test', () => {})
})
test('stays as it is', async () => { await ask('twelve') })
`,
}

/** Relative to `cassettes/test`, sorted. */
export const cassettes: readonly string[] = [
  'file.test/of-a-covered-file.json',
  'file.test/wrapped-in-a-covered-file.json',
  'forms.test/covered-by-a-hook__a-test.json',
  'forms.test/covered-by-its-describe__a-test.json',
  'forms.test/covered-by-its-describe__within__a-test.json',
  'forms.test/covered-from-within-concurrent.json',
  'forms.test/covered-from-within.json',
  'forms.test/wrapped-by-replay.json',
  'forms.test/wrapped-without-asking-for-the-tape.json',
  'forms.test/wrapped.json',
  'kinds.test/concurrent-1.json',
  'kinds.test/concurrent-2.json',
  'kinds.test/concurrent-3.json',
  'kinds.test/concurrent-4.json',
  'kinds.test/each-a.json',
  'kinds.test/each-b.json',
  'kinds.test/for-c.json',
  'kinds.test/for-d.json',
  'kinds.test/for-e.json',
  'kinds.test/outer__inner-1__same.json',
  'kinds.test/outer__inner-2__same.json',
  'kinds.test/same--2.json',
  'kinds.test/same--3.json',
  'kinds.test/same.json',
  'kinds.test/to-fail.json',
  'only.test/the-only-one.json',
  'retries.test/retried__passes-at-last.json',
  'values.test/modules-are-reset-within.json',
  'values.test/replays-under-fake-timers.json',
  'values.test/tools.json',
  'verdict.test/after-a-failure__has-an-assertion-before-the-divergence.json',
  'verdict.test/asks-for-less.json',
  'verdict.test/asks-for-more.json',
  'verdict.test/fails-by-the-divergence-that-an-sdk-throws.json',
  'verdict.test/has-an-assertion-after-the-divergence.json',
  'verdict.test/in-a-hook__swallows-it-after-the-test.json',
  'verdict.test/is-to-fail-and-not-by-a-divergence.json',
  'verdict.test/stays-as-it-is.json',
  'verdict.test/swallows-it-concurrent.json',
  'verdict.test/swallows-the-divergence.json',
]
