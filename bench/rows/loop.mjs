// A loop whose request grows.
import { figureOf, isWithin, peerFigures } from '../bench.mjs'

const turns = 200

/** @type {import('../rows.mjs').Row} */
export const loopRow = {
  id: 'loop',
  figures: ['loop'],
  alone: true,
  async measure(bench) {
    const names = bench.peers(['canonicalising recorder'])
    const ask = (/** @type {string} */ subject) => ({ subject, turns, bytes: 2_000_000, pairs: bench.quick ? 1 : 2 })
    const rounds = await bench.inRounds({
      own: ['ours'],
      peers: names,
      seconds: 30,
      measure: (subject) => bench.child('loop', ask(subject)),
      figureIn: ({ cpu }) => cpu,
    })
    const ours = figureOf(rounds, 'ours')
    return [
      {
        id: 'loop',
        group: 'An agent loop',
        what: `${turns} turns, the request growing to 2 MB, replayed`,
        unit: '×',
        goal: '≤ 1.3 × one read (SHA-256) of each request’s bytes',
        ours,
        met: isWithin(ours, 1.3),
        peers: peerFigures(rounds, names),
        ...(await bench.partsOf('loop', ask('ours'), ours)),
      },
    ]
  },
}
