// Opening a cassette.
import { figureOf, isWithin, peerFigures } from '../bench.mjs'
import { recorders } from '../peers/recorders.mjs'

const all = [...Object.keys(recorders), 'js-yaml', 'yaml']

const sizes = [
  { id: 'opening-10k', bytes: 10_000, name: '10 KB', pairs: 6, peers: all },
  { id: 'opening-1m', bytes: 1_000_000, name: '1 MB', pairs: 4, peers: all },
  // YAML of that size takes half a minute.
  { id: 'opening-cap', bytes: 8 * 1024 * 1024, name: '8 MiB, at the cap', pairs: 2, peers: ['Polly (HAR)', 'js-yaml'] },
]

/** @type {readonly import('../rows.mjs').Row[]} */
export const openingRows = sizes.map(({ id, bytes, name, pairs, peers }) => ({
  id,
  figures: [id],
  alone: bytes < 8_000_000,
  async measure(bench) {
    const names = bench.peers(peers)
    const ask = (/** @type {string} */ subject) => ({ subject, bytes, pairs })
    const rounds = await bench.inRounds({
      own: ['ours', 'least'],
      peers: names,
      seconds: 20,
      measure: (subject) => bench.child('opening', ask(subject)),
      figureIn: ({ cpu }) => cpu,
    })
    const ours = figureOf(rounds, 'ours')
    return [
      {
        id,
        group: 'Opening a cassette',
        what: name,
        unit: '×',
        goal: '≤ 1.5 × `JSON.parse` of the same bytes; peers read the same calls from files of their own',
        ours,
        met: isWithin(ours, 1.5),
        peers: peerFigures(rounds, names),
        least: {
          what: 'the file read, decoded and parsed, one bare look at each byte and one at each name and value',
          spread: figureOf(rounds, 'least'),
        },
        ...(await bench.partsOf('opening', ask('ours'), ours)),
      },
    ]
  },
}))
