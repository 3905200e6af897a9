/** The files under `test/formats`: what was released, and stays. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('./', import.meta.url)

export function readFormatBytes(path: string): Buffer {
  return readFileSync(new URL(path, folder))
}

export function readFormats<T>(path: string): T {
  return JSON.parse(readFormatBytes(path).toString('utf8')) as T
}

/** Names of the files in a folder of `test/formats`, without those of folders in it. */
export function formatNames(path: string): readonly string[] {
  return readdirSync(new URL(`${path}/`, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}
