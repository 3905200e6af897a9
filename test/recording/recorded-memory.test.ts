/** What a worker keeps of an answer while its test goes on. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import { recordedTest } from '../session/recorded-test.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const answer = 'a line of an answer\n'.repeat(200_000)

let url = ''
beforeAll(async () => {
  const server = createServer((_, response) => response.end(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lines`
  return () => server.close()
})

function heldBytes(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

test('an answer is kept once: when its stored form is made, the chunks are let go as they came', async () => {
  const { attempt, text } = recordedTest()
  const { error } = await attempt(
    'auto',
    async () => {
      const before = heldBytes()
      const length = (await (await fetch(url)).text()).length
      expect(length).toBe(answer.length)
      // The stored form is text, which is no array buffer; it was made for the pending recording.
      await expect.poll(heldBytes, { timeout: 5000 }).toBeLessThan(before + length / 4)
    },
    { capture: [() => true] },
  )
  expect(error).toBeUndefined()
  expect(text()).toContain('a line of an answer')
})
