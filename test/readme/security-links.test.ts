import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repository } from '../projects/package.ts'

const links = [
  ...readFileSync(join(repository, 'docs/security.md'), 'utf8').matchAll(/\]\(\.\.\/(test\/[^\s")]+) "([^"]+)"\)/g),
].map(([, file = '', title = '']) => ({ file, title }))

describe('docs/security.md', () => {
  test('has a test for each claim', () => {
    const claims = readFileSync(join(repository, 'docs/security.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (?:claim|---)/.test(line))
    expect(claims.filter((claim) => !claim.includes('](../test/'))).toEqual([])
    expect(links.length).toBeGreaterThan(15)
  })

  test.each(links)('the test that it names is in $file: $title', ({ file, title }) => {
    expect(existsSync(join(repository, file))).toBe(true)
    expect(readFileSync(join(repository, file), 'utf8')).toContain(title)
  })
})
