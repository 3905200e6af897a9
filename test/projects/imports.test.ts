import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, inject, test } from 'vitest'

/** What Node has loaded of its own once the entry is there; runners would have loaded half of it before. */
function loadedWith(entry: string): readonly string[] {
  const url = pathToFileURL(join(inject('packageFolder'), 'dist', entry)).href
  const script = `await import(${JSON.stringify(url)}); console.log(process.moduleLoadList.join('\\n'))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).split('\n')
}

test.each(['index.js', 'mcp.js', 'jest-core.js'])("promise 10 importing %s does not load Node's fetch", (entry) => {
  const loaded = loadedWith(entry)
  expect(loaded).toContain('NativeModule async_hooks')
  expect(loaded.filter((name) => name.includes('undici'))).toEqual([])
})
