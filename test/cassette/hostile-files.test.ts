import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { hostileFiles } from './hostile-files.ts'

function refusalOf(text: string): string {
  try {
    unfoldCassette(parseCassette(text, { cassette: 'cassettes/a.json', caps: defaultCaps }))
  } catch (error) {
    if (!isReplayError(error)) throw error
    const details = error.details as { readonly cap?: string; readonly reason?: string }
    return details.cap ?? details.reason ?? error.code
  }
  return 'none'
}

test.each(Object.entries(hostileFiles))('F20 refuses a small file that would be a huge one: %s', (_, file) => {
  expect(Buffer.byteLength(file.text)).toBeLessThan(defaultCaps.maxCassetteBytes / 2)
  expect(refusalOf(file.text)).toBe(file.refusal)
})
