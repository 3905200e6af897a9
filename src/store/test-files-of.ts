import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileSegment, folderSegment } from '../core/cassette/cassette-path.ts'

/**
 * The files whose cassettes are in this folder (POSIX, relative to the root), absolute: the path rule backwards, as far as
 * it can be. It leaves out colons, and the extension.
 */
export function testFilesOf(root: string, folder: string): readonly string[] {
  const segments = folder.split('/').slice(1)
  const stem = segments.pop() ?? ''
  let folders = [root]
  for (const segment of segments) {
    folders = folders.flatMap((at) =>
      namesIn(at)
        .filter((name) => folderSegment(name) === segment)
        .map((name) => join(at, name)),
    )
  }
  return folders.flatMap((at) =>
    namesIn(at)
      .filter((name) => fileSegment(name) === stem)
      .map((name) => join(at, name)),
  )
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No folder, or not readable: then no test file is found there.
    return []
  }
}
