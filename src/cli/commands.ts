/** Every command of the CLI: the parser, `--help` and `docs/cli.md` read this one table. */
import type { CommandDefinition, OptionDefinition } from './command.ts'

export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'all is well'],
  [1, 'something was found or refused, or a test failed (record: the exit code of the runner)'],
  [2, 'the command was not understood, or names something that is not there'],
  [3, 'diff alone: everything could be compared, and something is not the same'],
]

const capOption: OptionDefinition = {
  name: 'cap',
  value: 'name=count',
  summary: 'raise a cap as the option `caps` of the project does: --cap maxBodyBytes=33554432',
  repeatable: true,
}

export const commands: readonly CommandDefinition[] = [
  {
    name: 'show',
    summary: 'print a cassette as a reader wants it',
    forms: ['<cassette> [--pending] [--json]', '"<test file> > <test name>" [--pending] [--json]'],
    details: [
      'Prints where and when it was recorded, then each interaction: its turn, lane, address, model, status and timing, what its request adds to the one before in its lane, the text of the answer, tool calls and usage. Long values are shortened.',
      'Without a committed cassette the pending recording is shown.',
    ],
    options: [
      { name: 'pending', summary: 'the pending recording, not the committed cassette' },
      { name: 'json', summary: 'the same as JSON, nothing shortened' },
      capOption,
    ],
    positionals: 'at most one',
    load: async () => (await import('./show/show.ts')).show,
  },
  {
    name: 'record',
    summary: 'record tests anew, by running them',
    forms: [
      '"<test file> > <test name>" [--mode <mode>]',
      '<test file> [--mode <mode>]',
      '--all [--mode <mode>]',
      '--all --into <folder>',
    ],
    details: [
      'Runs Vitest or Jest for just these tests with TURNTAPE_MODE set, in CI as well. Calls go live and are paid for. A cassette is replaced when its test passed; otherwise it stays as it is and the recording is kept as pending.',
      'The name is the describe names and the test name joined with " > ", as messages print it. It must be whole; {...} at its end, as in a message that had to cut it, stands for anything that follows.',
      'With --into a whole set is recorded beside the committed one, which is not touched: cassettes/test/a.test/b.json becomes fresh/test/a.test/b.json, so that turntape diff cassettes fresh pairs them. The runner is told by TURNTAPE_FOLDER, the folder of all cassettes in its run.',
      'The exit code is that of the runner; 1 where it is 0 and nothing was recorded, since no tape covers what ran or no captured call was made.',
    ],
    options: [
      { name: 'all', summary: 'every test of the project' },
      {
        name: 'into',
        value: 'folder',
        summary: 'record into this new folder below the package root, not into cassettes',
      },
      {
        name: 'mode',
        value: 'mode',
        choices: ['record', 'update', 'rebase'],
        summary: 'record (default), update (replays what is unchanged) or rebase (no live call, rewrites the requests)',
      },
    ],
    positionals: 'at most one',
    load: async () => (await import('./record.ts')).record,
  },
  {
    name: 'check',
    summary: 'check cassettes: form, caps, hashes, side files, secrets',
    forms: ['[paths or globs...] [--fix] [--allow <name>]'],
    details: [
      'Reads every cassette under cassettes/, or those named, exactly: syntax, duplicate names, conflict markers, shape, caps, the hash of every request, side files, what strict replay would refuse, and what looks like a secret of this machine. One line a finding.',
      'Made for pre-commit hooks: a path to a file that is no cassette is passed over, a side file stands for its cassette. A path that does not exist is an error.',
    ],
    options: [
      { name: 'fix', summary: 'hash edited requests again and mark the cassette as derived; changes nothing else' },
      {
        name: 'allow',
        value: 'name',
        summary: 'what the tests allow, as their option `allow` does: --allow unhashed',
        choices: ['unhashed', 'incomplete', 'substitution'],
        repeatable: true,
      },
      capOption,
    ],
    positionals: 'any',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'diff',
    summary: 'say where two recordings part',
    forms: ['<cassette> <cassette> [--answers-only] [--json]', '<folder> <folder> [--answers-only] [--json]'],
    details: [
      'Compares turn by turn, lane by lane, and prints the first place where two cassettes differ, with the turn and interaction on both sides: whether something else was asked, or the same was answered otherwise. Time, cuts, ids and signatures do not count. Of two folders the cassettes are paired by path.',
      'A cassette is a path (of a pending recording too) or "<test file> > <test name>". Exit code 0: they say the same; 3: they do not; 1: something could not be read, so that nobody knows. A cassette on one side only is not the same.',
    ],
    options: [
      { name: 'answers-only', summary: 'what was asked does not count' },
      { name: 'json', summary: 'the comparison as JSON' },
      capOption,
    ],
    positionals: 'at most two',
    load: async () => (await import('./diff.ts')).diff,
  },
  {
    name: 'accept',
    summary: 'commit pending recordings',
    forms: ['<cassette...>', '--all', '--list'],
    details: [
      'A live run whose test failed or was cut is kept as pending and not committed. This puts it in the place of the committed cassette. It is scanned for secrets first, and stays pending where anything goes wrong.',
    ],
    options: [
      { name: 'all', summary: 'every pending recording of the project' },
      { name: 'list', summary: 'list them, change nothing' },
      capOption,
    ],
    positionals: 'any',
    load: async () => (await import('./accept.ts')).accept,
  },
  {
    name: 'move',
    summary: 'give a cassette to a renamed or moved test',
    forms: [
      '<cassette> "<test file> > <test name>"',
      '<cassette> <cassette>',
      '<folder or test file> <folder or test file>',
    ],
    details: [
      'Moves the file with its side files and its pending recording, and writes the name of the test into it. The new file is whole before the old one goes. A cassette is a path or "<test file> > <test name>", of a test that is gone too. Nothing is overwritten, and where one of several cannot be moved none is.',
      'Of two folders below cassettes/, or two test files, all cassettes of the one go to the other. Where a path is given for the new place it is relative to the package root, and the name in the cassette stays.',
      'The message about a missing cassette prints the command where it has found one that begins with the same request and belongs to no test.',
    ],
    options: [capOption],
    positionals: 'at most two',
    load: async () => (await import('./move.ts')).move,
  },
  {
    name: 'prune',
    summary: 'remove cassettes that belong to no test',
    forms: ['[--dry-run]'],
    details: [
      'Asks Vitest for all tests, skipped ones included, and removes the cassettes of test files that are gone and of tests that are gone from their file, with their side files and pending recordings.',
      'Kept, and named: cassettes of files that could not be collected or are not among those of Vitest, cassettes whose test is still there under another path, and those whose path was not made from their test.',
      'Removes as well what runs that were killed left: temporary files, and side files that no cassette has named for an hour.',
      'With --dry-run the exit code is 1 where something would be removed: the gate of a run in shards, which judges none.',
    ],
    options: [{ name: 'dry-run', summary: 'say what would be removed, remove nothing' }],
    positionals: 'none',
    load: async () => (await import('./prune.ts')).prune,
  },
  {
    name: 'migrate',
    summary: 'rewrite cassettes of an older format',
    forms: ['[paths or globs...] [--dry-run]'],
    details: [
      'Every released version of the format opens for ever; this is for whoever wants one version in the repository. Rewrites the cassettes under cassettes/, or those named, that are of an older version as ones of the newest, each whole or not at all, side files kept, and names each.',
      'One that cannot be read is an error of its own, stays as it is and does not keep the others from being migrated; the exit code is 1 then.',
    ],
    options: [{ name: 'dry-run', summary: 'say what would be migrated, write nothing' }, capOption],
    positionals: 'any',
    load: async () => (await import('./migrate.ts')).migrate,
  },
]
