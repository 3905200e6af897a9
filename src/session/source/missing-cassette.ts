import { describeCall, modelOf } from '../../core/capture/describe-call.ts'
import type { ErrorDetails } from '../../errors/codes.ts'
import { moveCommand, recordCommand } from '../../errors/commands.ts'
import { ReplayError } from '../../errors/replay-error.ts'
import type { SessionContext } from '../session-context.ts'
import { type FirstCall, findMovedCassette, type MovedCassette } from './moved-cassette.ts'

/**
 * Why a call of a test that has no cassette is refused: the mode records nothing, or, in `auto`, a cassette was found that
 * may be this test's under another name. Undefined: it goes live and is recorded.
 */
export function refuseWithoutCassette(context: SessionContext, first: FirstCall): ReplayError | undefined {
  const { rules, mode } = context
  const records = rules.noCassette === 'records'
  if (records && mode.mode !== 'auto') return undefined
  const moved = findMovedCassette(context, first)
  return records && moved === undefined ? undefined : missingCassette(context, { first, moved })
}

interface Missing {
  readonly first: FirstCall
  readonly moved: MovedCassette | undefined
}

/** The failure of a test that has no cassette and may not record. */
export function missingCassette(context: SessionContext, missing?: Missing): ReplayError {
  const { test, mode } = context
  const request = missing?.first.request
  const body = request?.body !== undefined && 'json' in request.body ? request.body.json : undefined
  const moved = missing?.moved
  return new ReplayError('TURNTAPE_MISSING_CASSETTE', {
    test: test.fullName,
    cassette: test.cassette,
    mode: mode.mode,
    ci: mode.ci,
    ...(request === undefined ? {} : { request: describeCall(request.method, request.url, modelOf(body)) }),
    recordCommand: recordCommand(test),
    ...(moved === undefined ? {} : { move: offer(context, moved) }),
  })
}

function offer(
  { test }: SessionContext,
  { from, candidates, folder }: MovedCassette,
): NonNullable<ErrorDetails['TURNTAPE_MISSING_CASSETTE']['move']> {
  if (folder !== undefined) {
    return { from, candidates, command: moveCommand(folder.from, folder.to), moves: folder.cassettes }
  }
  // One that the option `path` places is not found by the name of its test.
  const to = test.ofFile().includes(test.cassette) ? test : test.cassette
  return { from, candidates, command: moveCommand(from, to) }
}
