import { differences } from './compare-seen.ts'
import type { Seen } from './corpus-project.ts'
import type { PlannedFile } from './plan.ts'

type SeenFiles = ReadonlyMap<string, readonly Seen[]>

/** Where a replay shows a client something else than the live run, and where that showed something else than the server sent. */
export function compareRuns(
  files: readonly PlannedFile[],
  recorded: SeenFiles,
  replayed: SeenFiles,
): readonly string[] {
  return files.flatMap(({ file, requests, bodies }) => {
    const live = recorded.get(file) ?? []
    if (live.length !== requests.length) return [`${file}: ${live.length} of ${requests.length} requests were sent`]
    return live.flatMap((seen, index) => {
      const found = [...differences(seen, replayed.get(file)?.[index] ?? {}), ...disturbance(seen, bodies)]
      return found.map((line) => `${file} ${index}: ${line}`)
    })
  })
}

/** Recording does not change what the live caller sees: the body is the server's, or as far as the connection held. */
function disturbance(
  { headers = [], bytes = '', failed, chunks = [] }: Seen,
  bodies: readonly Uint8Array[],
): readonly string[] {
  const served = headers.find(([name]) => name === 'x-corpus-interaction')
  const body = bodies[Number(served?.[1])]
  if (body === undefined) return ['the live server did not answer']
  const seen = Buffer.from(bytes, 'base64')
  const expected = failed === undefined ? body : body.subarray(0, seen.byteLength)
  const length = chunks.reduce((sum, chunk) => sum + chunk, 0)
  if (length !== seen.byteLength) return [`chunks of ${length} bytes make a body of ${seen.byteLength}`]
  return Buffer.compare(expected, seen) === 0 ? [] : ['the live body is not the one that was sent']
}
