// What a live caller feels of being recorded.
import { figureOf, isWithin } from '../bench.mjs'
import { spread } from '../statistics.mjs'

const group = 'Recording, as the live caller feels it'
const headMs = 50

/** @type {import('../rows.mjs').Row} */
export const recordingRow = {
  id: 'recording',
  figures: ['first-chunk', 'first-chunk-added', 'recording-memory'],
  alone: false,
  async measure(bench) {
    const asks = new Map([
      ['slow', { what: 'first chunk', headMs, calls: 15 }],
      ['at once', { what: 'first chunk', headMs: 0, calls: 60 }],
      ['memory', { what: 'memory', headMs: 0, calls: 1 }],
    ])
    const rounds = await bench.inRounds({
      own: [...asks.keys()],
      seconds: 20,
      measure: (subject) => bench.child('recording', asks.get(subject) ?? {}),
      figureIn: ({ wall, ratio }) => wall ?? ratio,
    })
    const [ours, memory] = [figureOf(rounds, 'slow'), figureOf(rounds, 'memory')]
    const added = rounds.get('at once')?.answers.map(({ addedUs }) => addedUs) ?? []
    return [
      {
        id: 'first-chunk',
        group,
        what: `time to the first chunk, of a model that thinks for ${headMs} ms`,
        unit: '×',
        goal: '≤ 1.05 × the same call without us',
        ours,
        met: isWithin(ours, 1.05),
        peers: [],
      },
      {
        id: 'first-chunk-added',
        group,
        what: 'the same, of a model on this machine that answers at once: added time',
        unit: 'µs',
        ours: added.length === 0 ? { failed: 'not measured' } : spread(added),
        peers: [],
      },
      {
        id: 'recording-memory',
        group,
        what: 'memory kept at the end of an answer of 4,096 chunks of 1 KB, against the bytes that came',
        unit: '×',
        goal: 'the recording alone: each byte kept once, ≤ 1.5 ×',
        ours: memory,
        met: isWithin(memory, 1.5),
        peers: [],
      },
    ]
  },
}
