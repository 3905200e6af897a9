// Which recorded request a request is.
import { figureOf, isWithin, peerFigures } from '../bench.mjs'
import { canonicaliserNames } from '../peers/canonicalisers.mjs'
import { leastOf } from '../peers/least-identity.mjs'

const sizes = [
  { bytes: 2_000, name: '2 KB', image: false },
  { bytes: 50_000, name: '50 KB', image: false },
  { bytes: 2_000_000, name: '2 MB, with a picture', image: true },
]

/** @type {readonly import('../rows.mjs').Row[]} */
export const identityRows = sizes.map(({ bytes, name, image }) => {
  const id = `identity-${bytes / 1000}k`
  const figures = [`${id}-hit`, `${id}-miss`]
  return {
    id,
    figures,
    alone: true,
    async measure(bench) {
      const names = bench.peers(canonicaliserNames)
      const ask = (/** @type {string} */ subject) => ({ subject, bytes, image, pairs: 4 })
      const rounds = await bench.inRounds({
        own: ['hit', 'miss', 'least hit', 'least miss'],
        peers: names,
        seconds: 15,
        measure: (subject) => bench.child('identity', ask(subject)),
        figureIn: ({ cpu }) => cpu,
      })
      const [hit, miss] = [figureOf(rounds, 'hit'), figureOf(rounds, 'miss')]
      const group = 'Identity of a request'
      const common = { group, unit: /** @type {const} */ ('×') }
      const against = '`JSON.parse` and SHA-256 of the body'
      return [
        {
          id: `${id}-hit`,
          ...common,
          what: `${name}, bytes as recorded`,
          goal: `≤ 1.0 × ${against}`,
          ours: hit,
          met: isWithin(hit, 1),
          peers: [],
          least: { what: leastOf.hit, spread: figureOf(rounds, 'least hit') },
          ...(await bench.partsOf('identity', ask('hit'), hit)),
        },
        {
          id: `${id}-miss`,
          ...common,
          what: `${name}, other bytes`,
          goal: `≤ 2 × ${against}`,
          ours: miss,
          met: isWithin(miss, 2),
          peers: peerFigures(rounds, names),
          least: { what: leastOf.miss, spread: figureOf(rounds, 'least miss') },
          ...(await bench.partsOf('identity', ask('miss'), miss)),
        },
      ]
    },
  }
})
