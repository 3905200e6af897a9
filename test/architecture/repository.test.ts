import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './source-file.ts'

const skippedFolders = new Set(['node_modules', 'dist', 'coverage', '.git'])
const maxBytes = 500_000

/** Every file that can be committed, relative to the project root. */
function committableFiles(folder = ''): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : committableFiles(name)
    return entry.isFile() && !/\.(tgz|log)$/.test(entry.name) ? [name] : []
  })
}

function placesOf(pattern: RegExp): string[] {
  return files.flatMap((file) => {
    const lines = readFileSync(path.join(projectRoot, file), 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      pattern.test(line) ? [`${file}:${index + 1} ${pattern.exec(line)?.[0]}`] : [],
    )
  })
}

const files = committableFiles()

test('no file names a path of the machine it was written on', () => {
  expect(placesOf(/(?<![\w.<>-])\/(work|farm|root)\/|\/tmp\/(brief|bash)/)).toEqual([])
})

test('no file names the host of a package registry', () => {
  expect(placesOf(/\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\bdeb\.debian\.org/)).toEqual([])
})

test.each(files.filter((file) => file.endsWith('package-lock.json')))(
  '%s says what to install, not from where',
  (file) => {
    const lock = readFileSync(path.join(projectRoot, file), 'utf8')
    expect(lock).toContain('"integrity"')
    expect(lock).not.toContain('"resolved"')
  },
)

test('no file is larger than 500 kB', () => {
  const large = files.filter((file) => statSync(path.join(projectRoot, file)).size > maxBytes)
  expect(large).toEqual([])
})
