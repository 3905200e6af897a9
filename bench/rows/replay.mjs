// Replay of a streamed answer and of a JSON call.
import { figureOf, isWithin, peerFigures } from '../bench.mjs'
import { leastCall } from '../peers/least-replay.mjs'
import { replayPeers } from '../peers/replay-peers.mjs'

/** @typedef {{ id: string, group: string, what: string, kind: 'json' | 'stream', chunks: number, through: 'fetch' | 'openai', ops: number, limitOps: number, least: string, bound: number, goal: string, seconds: number }} Replayed */

/** @type {readonly Replayed[]} */
const replayed = [
  { ...streamOf(200), ops: 40, limitOps: 60, seconds: 30 },
  { ...streamOf(5000), ops: 4, limitOps: 4, seconds: 40 },
  {
    id: 'json-sdk',
    group: 'Replay of a JSON call',
    what: 'through the `openai` SDK',
    kind: 'json',
    chunks: 1,
    through: 'openai',
    ops: 100,
    limitOps: 200,
    least: `${leastCall}; the answer written from its value, through the same SDK`,
    bound: 1.2,
    goal: '≤ 1.2 × an in-memory `Response` through the same SDK',
    seconds: 30,
  },
]

/** @param {number} chunks */
function streamOf(chunks) {
  const counted = chunks.toLocaleString('en')
  return /** @type {const} */ ({
    id: `stream-${chunks}`,
    group: 'Replay of a streamed answer',
    what: `${counted} chunks, as recorded`,
    kind: 'stream',
    chunks,
    through: 'fetch',
    least: `${leastCall}; the column of texts written, and a byte stream that hands out each chunk in memory of its own`,
    bound: 1.3,
    goal: '≤ 1.3 × the same chunks from an in-memory `Response`; faster than each peer that keeps chunks',
  })
}

/** @type {readonly import('../rows.mjs').Row[]} */
export const replayRows = replayed.map((row) => ({
  id: row.id,
  figures: row.kind === 'stream' ? [row.id, `${row.id}-joined`] : [row.id],
  alone: true,
  async measure(bench) {
    const names = bench.peers(Object.keys(replayPeers))
    const { id, group, what, goal, bound, kind, chunks, through, ops, limitOps, seconds } = row
    const own = ['ours', 'least']
    if (kind === 'stream') own.push('ours joined', 'least joined')
    const ask = (/** @type {string} */ subject) => ({ subject, kind, chunks, through, ops, limitOps, pairs: 4 })
    const rounds = await bench.inRounds({
      own,
      peers: names,
      seconds,
      measure: (subject) => bench.child('replay', ask(subject)),
      figureIn: ({ cpu }) => cpu,
    })
    const ours = figureOf(rounds, 'ours')
    const keepsChunks = (/** @type {string} */ name) => (rounds.get(name)?.answers[0]?.reads ?? 0) >= chunks * 0.9
    const peers = peerFigures(rounds, names).map((peer) =>
      kind === 'stream' ? { ...peer, keepsChunks: keepsChunks(peer.name) } : peer,
    )
    const rivals = peers.flatMap((peer) => (!('failed' in peer) && peer.keepsChunks ? [peer.spread.median] : []))
    const met = isWithin(ours, bound) && rivals.every((rival) => isWithin(ours, rival))
    const costUs = rounds.get('ours')?.answers.at(-1)?.subject.cpuUs
    const note = costUs === undefined ? undefined : `${Math.round(costUs).toLocaleString('en')} µs a call`
    const least = { what: row.least, spread: figureOf(rounds, 'least') }
    const profile = await bench.partsOf('replay', ask('ours'), ours)
    const recorded = { id, group, what, unit: '×', goal, ...(note && { note }), ours, met, peers, least, ...profile }
    if (kind !== 'stream') return [recorded]
    const oursJoined = figureOf(rounds, 'ours joined')
    const profileJoined = await bench.partsOf('replay', ask('ours joined'), oursJoined)
    const leastJoined = figureOf(rounds, 'least joined')
    return [recorded, { ...joinedFigure(row, { ours: oursJoined, least: leastJoined, peers }), ...profileJoined }]
  },
}))

/** The same answers by `chunks: 'joined'`, beside all. @param {Replayed} row @param {any} measured @returns {any} */
function joinedFigure({ id, group, chunks }, { ours, least, peers }) {
  const all = peers.flatMap((/** @type {any} */ peer) => ('failed' in peer ? [] : [peer.spread.median]))
  return {
    id: `${id}-joined`,
    group,
    what: `${chunks.toLocaleString('en')} chunks, joined`,
    unit: '×',
    goal: 'faster than every peer; against the same in-memory `Response`, which hands them out one by one',
    ours,
    met: all.every((/** @type {number} */ rival) => isWithin(ours, rival)),
    peers: [],
    least: {
      what: `${leastCall}; the column of texts written, and the whole as one chunk of a byte stream`,
      spread: least,
    },
  }
}
