/**
 * Every behaviour of the systems that turntape learnt from, and what has become of it here. Which tests hold one is not said
 * here: their titles cite its id (`cited-tests.ts`), and `table.test.ts` holds that both agree. Changing a row changes
 * `docs/behaviours.md`, which is generated.
 */

export type BehaviourState =
  /** The same here; tests cite it. `note`: what is more, or less. */
  | { readonly held: true; readonly note?: string }
  /** Here otherwise, on purpose; tests of ours cite it. */
  | { readonly differs: string }
  /** Not yet. */
  | { readonly planned: 'theater' | 'importers'; readonly note?: string }
  /** Nothing here could have it. */
  | { readonly none: string }

export interface Behaviour {
  readonly id: string
  /** What the other system does, in our words. */
  readonly does: string
  readonly state: BehaviourState
}

export interface BehaviourGroup {
  readonly title: string
  readonly source: string
  readonly behaviours: readonly Behaviour[]
}

const held = { held: true } as const
const heldBut = (note: string): BehaviourState => ({ held: true, note })
const differs = (how: string): BehaviourState => ({ differs: how })
const theater = { planned: 'theater' } as const
const importers = { planned: 'importers' } as const
const laterFor = (planned: 'theater' | 'importers', note: string): BehaviourState => ({ planned, note })
const none = (why: string): BehaviourState => ({ none: why })

type Row = readonly [id: string, does: string, state: BehaviourState]

const rowsOf = (rows: readonly Row[]): readonly Behaviour[] => rows.map(([id, does, state]) => ({ id, does, state }))

const cuca = rowsOf([
  [
    'CU-01',
    'An id that nobody recorded loads as an empty trajectory',
    differs(
      'a cassette that is not there is an error wherever nothing may be recorded: an empty replay passes for a good one',
    ),
  ],
  [
    'CU-02',
    'An empty trajectory is refused when it is served, never a stream of no blocks',
    heldBut('a call that has no recorded answer gets an error, never an empty one'),
  ],
  ['CU-03', 'A prefix that holds nothing is refused', heldBut('`from` and `upTo`')],
  [
    'CU-04',
    'A point is written `id:number`, split at the last colon, and refused in any other form',
    differs('a point is the number of a turn; anything else is refused as an option'),
  ],
  [
    'CU-05',
    'Exactly at a cap is accepted, one over refused; caps come before the order, the order before the content',
    heldBut('the size comes before the file is read, counts before anything is unfolded'),
  ],
  [
    'CU-06',
    'Over the cap of records: refused, never shortened; the message names session, count, cap and what raises it',
    heldBut('with the cassette and the option'),
  ],
  ['CU-07', 'Over the cap of blocks: refused, with the turn, the count and the cap', held],
  [
    'CU-08',
    'A number that repeats or falls is refused, a gap tolerated',
    differs('numbers are 1, 2, 3 without a gap: a gap is a lost interaction'),
  ],
  [
    'CU-09',
    'A turn is closed by its latency and its token usage',
    differs('a turn is finished by its own answer; usage may be missing'),
  ],
  [
    'CU-10',
    'What comes after the last closed turn is a turn that is not complete, never merged and never dropped',
    held,
  ],
  ['CU-11', 'Records are mapped to prompts, messages, blocks, completion and notes of a turn', importers],
  [
    'CU-12',
    'Output and exit code of a tool have no place in a block; nothing is made up for what the log lacks',
    importers,
  ],
  ['CU-13', 'A turn can be served again; one that is out of range is refused with the count there is', held],
  [
    'CU-14',
    'Every failure of the file shows when it is loaded; two loads serve the same',
    differs(
      'what is not served is not unfolded: a fault that only unfolding shows is found when its call is made, or by `turntape check`',
    ),
  ],
  [
    'CU-15',
    'Latency is data; nothing is paced',
    differs('instant by default, the recorded cadence where it is asked for'),
  ],
  [
    'CU-16',
    'A response is rebuilt with the model that the caller names; what was not recorded stays absent',
    importers,
  ],
  [
    'CU-17',
    'A gauge says how near the caps are, from nine tenths on; nothing is injected',
    heldBut('the fraction is fixed'),
  ],
  [
    'CU-18',
    'Replayed blocks pass no hook; a replay cannot be registered as a recorder',
    heldBut('`beforeRecord` sees what is recorded, never what is served'),
  ],
  [
    'CU-19',
    'System messages are written at every call, others when first seen, tool messages never',
    none('the request itself is recorded, whole'),
  ],
  [
    'CU-20',
    'Of the stream, text, thoughts and calls are kept, and then the latency',
    none('the bytes are recorded; blocks are read out of them'),
  ],
  ['CU-21', 'The log gives the numbers, the caller the times', heldBut('numbers in the order of start')],
  [
    'CU-22',
    'A fork is the prefix up to a point under a new id, and a note in the original',
    differs(
      '`upTo` with `update`: the turns up to the point are replayed, those after it recorded anew; an original that is to stay is copied, or the fork has a `path` of its own',
    ),
  ],
  ['CU-23', 'A prefix, the same point, and a fork there serve the same', held],
  [
    'CU-24',
    'A fork changes nothing of the original but for one note',
    differs('the lines before the point are not touched, and there is no note: the change is in the version control'),
  ],
  [
    'CU-25',
    'At the cap an append fails, nothing is evicted, a fork is all or nothing',
    heldBut('the committed file stays as it was, the live call goes on'),
  ],
  [
    'CU-26',
    'A torn, foreign, too new or too short file: each refused in words of its own, with its place',
    heldBut('the binary log itself: with the importers'),
  ],
  [
    'CU-27',
    'A session id with a slash is refused',
    differs('a name of a test may hold anything; its path is made of it, and never leaves the folder'),
  ],
  [
    'CU-28',
    'An append never rewrites what is there',
    differs('the file is replaced whole and at once; interactions that did not change keep their lines'),
  ],
])

const theaterRows = rowsOf([
  ['TH-01', 'The first frame is at 0; each later one at the sum of the gaps before it', held],
  ['TH-02', 'A missing or negative gap counts as 0; times never decide the order', held],
  ['TH-03', 'Every gap is bounded: the floor first, the ceiling second, so that the ceiling wins', held],
  ['TH-04', 'What the ceiling took off is reported, a raised gap is not', held],
  [
    'TH-05',
    'Frames are in the order of numbers, then of the source; those of one attempt in the order of its stream',
    theater,
  ],
  ['TH-06', 'A settled attempt is one number: seeking lands on attempts', theater],
  ['TH-07', 'Kinds of parts: text, reasoning, arguments of a tool, and a marker for any other event', held],
  [
    'TH-08',
    'An event that is not known is a marker with its own type, at its own time, neither expanded nor dropped',
    held,
  ],
  ['TH-09', 'Transient records are ignored: the settled event replaces them', importers],
  [
    'TH-10',
    'A member of a stream of the wrong shape is dropped whole',
    differs('a cassette of the wrong shape is refused with its place; the logs themselves: with the importers'),
  ],
  ['TH-11', 'No records: no frames, total 0; a run of 2,047 members expands to its last', theater],
  ['TH-12', 'The frame at a time is found by binary search; none before the first', theater],
  ['TH-13', 'Frames in a row join to one block only where kind, index, number, turn, step and call agree', theater],
  ['TH-14', 'A retried step is two blocks: the text of an attempt never joins that of another', held],
  ['TH-15', 'The header line takes no number', importers],
  ['TH-16', 'A line that cannot be read is reported with its number and reason', importers],
  ['TH-17', 'A packed row of the first generation becomes one message and counts its members', importers],
  ['TH-18', 'Real times are used where there are any; made-up ones are said to be', importers],
  ['TH-19', 'The first generation tolerates a bad gap, the present one does not', importers],
  ['TH-20', 'A player starts paused at 0', theater],
  ['TH-21', 'A tick does nothing while paused, and nothing where the clock goes back', theater],
  ['TH-22', 'Play at the end starts over; pause keeps the place', theater],
  ['TH-23', 'Seeking is bounded, and keeps a paused player paused', theater],
  [
    'TH-24',
    'A step moves whole frames, pauses, and is bounded at both ends',
    laterFor('theater', 'in a test: `tape.hold()`'),
  ],
  ['TH-25', 'A change of speed keeps the place', theater],
  ['TH-26', 'A timeline that grew keeps place and play; one that shrank bounds them', theater],
  ['TH-27', 'The page: scrub, speeds, restart, what was compressed, and what is empty', theater],
  ['TH-28', 'Two runs are compared by kind and text; times and numbers do not count', held],
  ['TH-29', 'The result is the same, or the first place that differs, with both coordinates and a reason', held],
  ['TH-30', 'Two empty runs are the same; against an empty one the first step differs', held],
  ['TH-31', 'A summary counts frames, time, text, reasoning, and names the tools in the order first seen', theater],
])

const kit = rowsOf([
  ['LR-01', 'One file is what is replayed and what is expected; replay never records', held],
  ['LR-02', 'A call answers with chunks, with a prefix and an error, or with a hang', held],
  ['LR-03', 'Calls are cut from the log at a terminal event; a group without one is an error', importers],
  ['LR-04', 'A compaction counts as a call where it is flagged as one, and then needs its output', importers],
  ['LR-05', 'An answer that ends with an error is served as data, not thrown', held],
  [
    'LR-06',
    'Exhausted: an error with the number asked for and the number there is; missing: with the file and the command',
    held,
  ],
  [
    'LR-07',
    'A file beside the script replaces or appends calls',
    differs(
      'the cassette itself is edited: an answer freely, a request only with `turntape check --fix`, which marks it',
    ),
  ],
  [
    'LR-08',
    'Placeholders in an answer are filled from the live request, for ids made up at run time',
    differs(
      'where such an id comes from is recorded as a tool or a `tape.call`, so that it is the recorded one; ids that clients make up count as equal',
    ),
  ],
  [
    'LR-09',
    'Sessions are bound to scripts in the order of their first call; one too many is an error',
    differs('by name, `tape.lane(key, fn)`: the order of first calls is not certain. One too many is an error'),
  ],
  ['LR-10', 'At the end everything must have been asked for, else an error lists what is left', held],
  ['LR-11', 'A pace for each chunk, by default none; an abort ends every wait at once', held],
  [
    'LR-12',
    'A hang gives a first delta, says that it is ready, and waits for the abort',
    differs('what came before the hang is served as recorded; what a test waits for is a step of `tape.hold()`'),
  ],
  ['LR-13', 'Lines with and without envelope are not mixed', importers],
  [
    'SN-01',
    'Transcript and stored log are both compared, with ids, times, paths made equal',
    differs('each request is compared when it is made, with the normalisers of the test; two runs by `turntape diff`'),
  ],
  ['SN-02', 'Committed files have no clock in their lines, so that one insertion changes nothing else', held],
  ['SN-03', 'System prompt and tool schemas stand once', held],
  ['SN-04', 'Recording again keeps the ids of what did not change', held],
  [
    'SN-05',
    'Guards: orphan, missing, gaps in numbers, equal names, other packing',
    heldBut('another packing of the same content is read as it is'),
  ],
  ['SN-06', 'Recording removes stale files beside it and makes missing ones', held],
])

const agentreplay = rowsOf([
  ['AR-01', 'Steps in the order of the path: answers, compactions, failed attempts; the count is over all', held],
  [
    'AR-02',
    'Strict: the hash is compared before serving; the error names step and both hashes; the observer has seen it, and the step is used up',
    differs('the same, but the step is not used up: the lane stays at its first failure'),
  ],
  ['AR-03', 'Lenient: served by position whatever was asked; the observer gets both hashes', held],
  [
    'AR-04',
    'What has no hash is never called different: strict refuses it when opened, with n of m and the reason',
    held,
  ],
  ['AR-05', 'Allowed, it is served by position, and the observer can tell that nothing was checked', held],
  [
    'AR-06',
    'The hash of what was asked is there even where there is nothing to compare with',
    heldBut('for tools and failures too'),
  ],
  ['AR-07', 'The output of a response is found by walking back over the items that name it', importers],
  ['AR-08', 'Filtered output is served in its place', importers],
  ['AR-09', 'Served as recorded, complete, with no member added, as a copy', held],
  ['AR-10', 'A replayed run has the hashes, ids and usage of the recording', held],
  ['AR-11', 'Reset goes back to the start; safe with calls at once', held],
  ['AR-12', 'Settings in force at each step; the next step’s instructions and tools can be put into a request', held],
  ['AR-13', 'A leaf picks the branch', laterFor('importers', 'a cassette has no branches')],
  [
    'AR-14',
    'From a point: only what comes after it is served; checks of the whole path stay',
    heldBut('`afterBase`: with the importers, a recorded fork has no base'),
  ],
  [
    'AR-15',
    'A failed attempt is served as an error, unchecked, so that the retry sends what was recorded',
    differs('it is served as an error, and compared as any call is'),
  ],
  [
    'AR-16',
    'The text of an error is parsed into status and type; no retry waits',
    differs('status, headers and body are recorded; retry-after is 1 ms'),
  ],
  [
    'AR-17',
    'The text also gives the cause: reset, refused, timeouts, unknown host',
    differs('the chain of causes is recorded, and rebuilt'),
  ],
  ['AR-18', 'A provider’s message that quotes such a text gets no cause', none('no text is parsed')],
  [
    'AR-19',
    'A failed response has its recorded status; a failure names step and entry',
    differs('the error is the client’s own, as it was live; `turntape show` and `turn.attempts` name its place'),
  ],
  ['AR-20', 'The request of a local fold is checked', held],
  [
    'AR-21',
    'A fold at the provider’s own endpoint is served unchecked',
    differs('it is a call like any other, and is compared'),
  ],
  ['AR-22', 'A turn for a fold, a fold for a turn, a fold for a failed call: each diverges with its own text', held],
  ['AR-23', 'A fold that failed fails the same way', held],
  [
    'AR-24',
    'Hints: the output limit alone, the previous fold again; never where they do not apply',
    heldBut('of a fold that was skipped the divergence says so'),
  ],
  [
    'AR-25',
    'Tools match by call id first, then by name and canonical arguments; each output once',
    heldBut('an id that repeats needs equal arguments as well'),
  ],
  [
    'AR-26',
    'No match: lenient runs the tool, strict fails with the arguments; a call that never ended is not served',
    held,
  ],
  ['AR-27', 'Repeated ids still get the right outputs', held],
  ['AR-28', 'The wrapper keeps name, description, schema and every property', held],
  ['AR-29', 'Structured details are served with the output; a decoder that fails fails the call', held],
  ['AR-30', 'From a point, outputs before it are not served, one that was still open is', held],
])

const agentsession = rowsOf([
  [
    'AS-01',
    'An unreadable last line is tolerated and reported, any other is an error',
    differs(
      'a cassette is written whole: one that is cut is refused. The calls of a run that was killed are kept as pending',
    ),
  ],
  ['AS-02', 'Order by place, never by time', held],
  [
    'AS-03',
    'Unknown members and types are kept and hashed',
    differs(
      'unknown events of a stream are kept; an unknown member of the file is refused, since dropping it would serve another recording',
    ),
  ],
  ['AS-04', 'No hash means "cannot say", not "differs"', held],
  [
    'AS-05',
    'What varies from run to run stays out of the request',
    differs(
      'it cannot be kept out of a real request: ids that clients make up and volatile members count as equal, the rest is for normalisers',
    ),
  ],
  [
    'AS-06',
    'A stream that is under way is never written; writing is flushed to the disk',
    heldBut('no test can see the flush'),
  ],
  [
    'AS-07',
    'The header says which records are missing because nothing happened',
    none('all calls of a test are recorded; there is nothing that may be left out'),
  ],
  [
    'AS-08',
    'A repeated id is the same entry; a redacted file says so',
    differs('numbers do not repeat; everything is redacted, and a placeholder says what it stands for'),
  ],
  [
    'AS-09',
    'Call ids are unique and never empty; a repeat is renamed',
    differs('ids stay as the provider gave them; only results that nothing tells apart are refused'),
  ],
])

/** In the order of the page. */
export const behaviourGroups: readonly BehaviourGroup[] = [
  { title: 'cuca', source: 'SessionReplay and SessionLogPlugin of `nassor/cuca`', behaviours: cuca },
  { title: 'theater', source: '`ItBayMax/dsh-replay-theater`: timeline, player, comparison', behaviours: theaterRows },
  {
    title: 'dsh-replay kit',
    source: '`llm-replay` and `acp-snapshot` of `deepseek-ai/deepseek-harness`',
    behaviours: kit,
  },
  { title: 'agentreplay', source: 'package `replay` of `ChristopherDavenport/agenteval`', behaviours: agentreplay },
  { title: 'agentsession', source: 'RFC 0001 of `ChristopherDavenport/agentsession`', behaviours: agentsession },
]
