import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { createCliProject } from './cli-project.ts'

test('--help lists the commands, the options and the exit codes', async () => {
  const { run } = createCliProject()
  const help = await run(['--help'])
  expect(help).toMatchInlineSnapshot(`
    "Record and replay the calls of LLM agents under test.

    turntape <command> [arguments]

      show     print a cassette as a reader wants it
      record   record tests anew, by running them
      check    check cassettes: form, caps, hashes, side files, secrets
      diff     say where two recordings part
      accept   commit pending recordings
      move     give a cassette to a renamed or moved test
      prune    remove cassettes that belong to no test
      migrate  rewrite cassettes of an older format

      -h, --help     print what a command does and takes
      -v, --version  print the version of turntape

    Exit codes
      0  all is well
      1  something was found or refused, or a test failed (record: the exit code of the runner)
      2  the command was not understood, or names something that is not there
      3  diff alone: everything could be compared, and something is not the same

    turntape <command> --help says more. Paths are relative to the current folder; the project is the nearest
    folder with a package.json. TURNTAPE_DEBUG=1 adds the stack to an error.
    --- exit code 0"
  `)
  expect(await run(['help'])).toBe(help)
  expect(await run(['-h'])).toBe(help)
})

test('without a command it prints the help as an error', async () => {
  const { project } = createCliProject()
  const { code, stdout, stderr } = await project.turntape([])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toBe((await project.turntape(['--help'])).stdout)
})

test('a command says what it takes', async () => {
  const { run } = createCliProject()
  expect(await run(['record', '--help'])).toMatchInlineSnapshot(`
    "Record tests anew, by running them.

    turntape record "<test file> > <test name>" [--mode <mode>]
    turntape record <test file> [--mode <mode>]
    turntape record --all [--mode <mode>]
    turntape record --all --into <folder>

    Runs Vitest or Jest for just these tests with TURNTAPE_MODE set, in CI as well. Calls go live and
    are paid for. A cassette is replaced when its test passed; otherwise it stays as it is and the
    recording is kept as pending.

    The name is the describe names and the test name joined with " > ", as messages print it. It must be
    whole; {...} at its end, as in a message that had to cut it, stands for anything that follows.

    With --into a whole set is recorded beside the committed one, which is not touched:
    cassettes/test/a.test/b.json becomes fresh/test/a.test/b.json, so that turntape diff cassettes fresh
    pairs them. The runner is told by TURNTAPE_FOLDER, the folder of all cassettes in its run.

    The exit code is that of the runner; 1 where it is 0 and nothing was recorded, since no tape covers
    what ran or no captured call was made.

      --all            every test of the project
      --into <folder>  record into this new folder below the package root, not into cassettes
      --mode <mode>    record (default), update (replays what is unchanged) or rebase (no live call, rewrites the requests)
    --- exit code 0"
  `)
  expect(await run(['help', 'record'])).toBe(await run(['record', '-h']))
})

test('--version is the version of the package', async () => {
  const { run } = createCliProject()
  expect(await run(['--version'])).toBe(`${manifest.version}\n--- exit code 0`)
  expect(await run(['check', '-v'])).toBe(`${manifest.version}\n--- exit code 0`)
})

test('what is not understood is refused with what was probably meant, exit code 2', async () => {
  const { run } = createCliProject()
  const given = [
    ['chekc'],
    ['frobnicate'],
    ['--hlep'],
    ['check', '--fxi'],
    ['record', '--mode', 'recrod', 'a'],
    ['record', '--mode'],
    ['record', '--mode', '--all'],
    ['record', '--all', '--mode', 'record', '--mode', 'update'],
    ['check', '--fix=yes'],
    ['record', 'a.test.ts', '>', 'name'],
    ['prune', 'a'],
    ['show'],
    ['record'],
    ['record', '--all', 'a.test.ts'],
    ['accept'],
    ['accept', '--all', 'a.json'],
    ['check', '--cap', 'maxBodyBytes'],
    ['check', '--cap', 'maxBdoyBytes=1'],
  ]
  const outputs: string[] = []
  for (const args of given) outputs.push(`$ turntape ${args.join(' ')}\n${await run(args)}`)
  expect(outputs.join('\n')).toMatchInlineSnapshot(`
    "$ turntape chekc
    --- stderr
    turntape has no command chekc [TURNTAPE_USAGE]

    Did you mean check? See turntape --help.
    --- exit code 2
    $ turntape frobnicate
    --- stderr
    turntape has no command frobnicate [TURNTAPE_USAGE]

    See turntape --help.
    --- exit code 2
    $ turntape --hlep
    --- stderr
    turntape has no option --hlep [TURNTAPE_USAGE]

    Did you mean --help? See turntape --help.
    --- exit code 2
    $ turntape check --fxi
    --- stderr
    turntape check has no option --fxi [TURNTAPE_USAGE]

    Did you mean --fix? See turntape check --help.
    --- exit code 2
    $ turntape record --mode recrod a
    --- stderr
    --mode cannot be "recrod" [TURNTAPE_USAGE]

    Did you mean record? Valid: record, update, rebase.
    --- exit code 2
    $ turntape record --mode
    --- stderr
    --mode needs a value: --mode <mode> [TURNTAPE_USAGE]

    See turntape record --help.
    --- exit code 2
    $ turntape record --mode --all
    --- stderr
    --mode needs a value: --mode <mode> [TURNTAPE_USAGE]

    See turntape record --help.
    --- exit code 2
    $ turntape record --all --mode record --mode update
    --- stderr
    --mode is given twice [TURNTAPE_USAGE]

    See turntape record --help.
    --- exit code 2
    $ turntape check --fix=yes
    --- stderr
    --fix takes no value [TURNTAPE_USAGE]

    See turntape check --help.
    --- exit code 2
    $ turntape record a.test.ts > name
    --- stderr
    turntape record does not know what to do with ">" [TURNTAPE_USAGE]

    It takes one name: put it in double quotes. See turntape record --help.
    --- exit code 2
    $ turntape prune a
    --- stderr
    turntape prune does not know what to do with "a" [TURNTAPE_USAGE]

    See turntape prune --help.
    --- exit code 2
    $ turntape show
    --- stderr
    show needs a cassette [TURNTAPE_USAGE]

    Give its path, or "<test file> > <test name>".
    --- exit code 2
    $ turntape record
    --- stderr
    record needs to know what to record [TURNTAPE_USAGE]

    Give "<test file> > <test name>", a test file, or --all.
    --- exit code 2
    $ turntape record --all a.test.ts
    --- stderr
    record needs to know what to record [TURNTAPE_USAGE]

    Give "<test file> > <test name>", a test file, or --all.
    --- exit code 2
    $ turntape accept
    --- stderr
    accept needs to know which pending recording [TURNTAPE_USAGE]

    Name it, or use --all or --list. There is none at present.
    --- exit code 2
    $ turntape accept --all a.json
    --- stderr
    accept takes either cassettes or one of --all and --list [TURNTAPE_USAGE]

    See turntape accept --help.
    --- exit code 2
    $ turntape check --cap maxBodyBytes
    --- stderr
    --cap cannot be "maxBodyBytes" [TURNTAPE_USAGE]

    Write a name and a count: --cap maxBodyBytes=33554432.
    --- exit code 2
    $ turntape check --cap maxBdoyBytes=1
    --- stderr
    The option "caps.maxBdoyBytes" is not valid [TURNTAPE_INVALID_OPTION]

    given       1

    Expected: one of maxCassetteBytes, maxBodyBytes, maxInteractions, maxChunks, maxBlocks.
    --- exit code 2"
  `)
})
