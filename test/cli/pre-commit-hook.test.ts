/** The recipe of docs/security.md, in a real git repository. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { repository } from '../projects/package.ts'
import { createCliProject, modelCall, recordedCassette } from './cli-project.ts'

const secret = 'correct-horse-battery-staple-99'
const hook =
  /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/security.md'), 'utf8'))?.[1] ?? ''
const path = 'cassettes/a.test/tells.json'

// The recipe is a shell script.
test.skipIf(process.platform === 'win32')(
  'the pre-commit hook refuses a cassette that holds a secret, by what is staged',
  () => {
    const { project } = createCliProject({
      '.gitignore': 'node_modules\n',
      '.git-hooks/pre-commit': hook,
      'a.txt': 'a',
    })
    chmodSync(join(project.folder, '.git-hooks/pre-commit'), 0o755)
    const git = (...args: readonly string[]): { readonly code: number | null; readonly output: string } => {
      const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.test', '-c', 'core.hooksPath=.git-hooks']
      const { PATH = '', HOME = '' } = process.env
      const env = { PATH, HOME, GIT_CONFIG_NOSYSTEM: '1', BOOKING_TOKEN: secret }
      const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], {
        cwd: project.folder,
        env,
        encoding: 'utf8',
      })
      return { code: status, output: stdout + stderr }
    }
    const cassette = (prompt: string): string => writeCassette(recordedCassette('tells', [modelCall(prompt, 'hi')]))

    expect(git('init', '-q').code).toBe(0)
    git('add', '-A')
    expect(git('commit', '-q', '-m', 'without cassettes')).toEqual({ code: 0, output: '' })

    project.write({ [path]: cassette(`use ${secret}`) })
    git('add', path)
    // What lies in the folder is mended, what is staged is not.
    project.write({ [path]: cassette('use it') })
    const refused = git('commit', '-m', 'tells')
    expect(refused.code).toBe(1)
    expect(refused.output).toContain(`${path}  TURNTAPE_SECRET_FOUND`)
    expect(refused.output).toContain('the value of BOOKING_TOKEN')
    expect(refused.output).not.toContain(secret)

    git('add', path)
    const accepted = git('commit', '-q', '-m', 'does not tell')
    expect(accepted.code).toBe(0)
    expect(accepted.output).toContain('1 cassette checked, nothing found')
    expect(git('log', '--format=%s').output).toBe('does not tell\nwithout cassettes\n')
  },
  60_000,
)
