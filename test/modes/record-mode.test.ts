import { describe, expect, test } from 'vitest'
import { modeTable } from '../../src/core/modes/mode-table.ts'
import { recordModes } from '../../src/core/modes/record-mode.ts'
import { type ModeInputs, resolveMode } from '../../src/core/modes/resolve-mode.ts'

const inputs = (over: Partial<ModeInputs>): ModeInputs => ({
  ci: false,
  runnerUpdate: 'new',
  environment: undefined,
  option: undefined,
  ...over,
})

describe('record mode precedence', () => {
  test.for<[Partial<ModeInputs>, string, string]>([
    [{}, 'auto', 'default'],
    [{ environment: '' }, 'auto', 'default'],
    [{ option: 'record' }, 'record', 'option'],
    [{ option: 'record', runnerUpdate: 'all' }, 'update', 'runner update'],
    [{ environment: 'live', runnerUpdate: 'all', option: 'record' }, 'live', 'TURNTAPE_MODE'],
    [{ ci: true }, 'replay', 'ci'],
    [{ ci: true, option: 'record' }, 'replay', 'ci'],
    [{ ci: true, option: 'auto' }, 'replay', 'ci'],
    [{ ci: true, option: 'live' }, 'live', 'ci'],
    [{ ci: true, runnerUpdate: 'all' }, 'replay', 'ci'],
    [{ ci: true, environment: 'record' }, 'record', 'TURNTAPE_MODE'],
    [{ runnerUpdate: 'none' }, 'replay', 'ci'],
    [{ runnerUpdate: 'none', environment: 'update' }, 'update', 'TURNTAPE_MODE'],
  ])('%j gives %s by %s', ([over, mode, source]) => {
    expect(resolveMode(inputs(over))).toMatchObject({ mode, source })
  })

  test('says that -u was ignored in CI, and only there', () => {
    expect(resolveMode(inputs({ ci: true, runnerUpdate: 'all' })).updateIgnored).toBe(true)
    expect(resolveMode(inputs({ runnerUpdate: 'all' })).updateIgnored).toBe(false)
    expect(resolveMode(inputs({ ci: true, runnerUpdate: 'all', environment: 'update' })).updateIgnored).toBe(false)
  })

  test.for([
    [{ environment: 'Record' }, 'TURNTAPE_MODE'],
    [{ option: 'off' }, 'option'],
    [{ environment: 'replay', option: 3 }, 'option'],
  ] as const)('refuses an unknown value in %j and lists the valid ones', ([over, source]) => {
    expect(() => resolveMode(inputs(over))).toThrow(
      expect.objectContaining({
        code: 'TURNTAPE_INVALID_MODE',
        details: expect.objectContaining({ source, valid: recordModes }),
      }),
    )
  })
})

test('the printed table has a row for each mode', () => {
  expect(modeTable()).toMatchInlineSnapshot(`
    "| mode | no cassette | request matches | request does not match | unused at the end | writes |
    | --- | --- | --- | --- | --- | --- |
    | \`auto\` (default outside CI) | records | replays | fails | fails | new cassettes |
    | \`replay\` (default in CI) | fails | replays | fails | fails | never |
    | \`update\` (the runner's \`-u\`, watch \`u\`) | records | replays | calls live and records, from there on in its lane | dropped | what changed |
    | \`record\` (only by the flag or the CLI) | records | records anew | records anew | dropped | always |
    | \`rebase\` (only by the flag or the CLI; needs no key) | fails | replays | serves the recorded answer by position, and rewrites the stored request | fails | what changed |
    | \`live\` (only by the flag or an option) | network | network | network | ignored | never |"
  `)
})
