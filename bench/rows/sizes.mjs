// What recordings take on disk. The same on every machine, so once is enough.
import { spread } from '../statistics.mjs'

/** @typedef {import('../measure/sizes.mjs').Sized} Sized */

/** Keeps no request bodies, so that it matches by method and URL alone. */
const withoutRequests = 'undici SnapshotAgent'

/** @type {import('../rows.mjs').Row} */
export const sizesRow = {
  id: 'size',
  figures: ['size-stream-200', 'size-stream-5000', 'size-loop-50', 'size-loop-200', 'size-corpus'],
  alone: false,
  async measure(bench) {
    /** @type {{ sizes: Sized[] }} */
    const { sizes } = await bench.child('sizes', {})
    return sizes.map((size, at) => figureFor(sizesRow.figures[at] ?? size.name, size))
  },
}

/** @type {Record<Sized['kind'], { bound: string, most: number }>} F9, F12; short streams have no bound in percent */
const bounds = {
  'made-up stream': { bound: '≤ 40 % of the answers’ bytes (F9); ', most: 0.4 },
  'recorded streams': { bound: '', most: 1 },
  loop: { bound: '≤ 1.5 × what is said for the first time (F12); ', most: 1.5 },
}

/** @param {string} id @param {Sized} size @returns {import('../run.mjs').Figure} */
function figureFor(id, { name, kind, answerBytes, distinctBytes, gzipBytes, ours, peers }) {
  const share = ours / (kind === 'loop' ? distinctBytes : answerBytes)
  const shareText =
    kind === 'loop' ? `${share.toFixed(2)} × the distinct bytes` : `${Math.round(share * 100)} % of the answers`
  const { bound, most } = bounds[kind]
  const beaten = Object.entries(peers).every(
    ([peer, bytes]) => peer === withoutRequests || bytes === null || ours < bytes,
  )
  return {
    id,
    group: 'Size on disk',
    what: name,
    unit: 'bytes',
    goal: `${bound}smaller than every peer that keeps requests`,
    note: `${shareText}; gzip of the distinct content ${gzipBytes.toLocaleString('en')}`,
    ours: spread([ours]),
    met: share <= most && beaten,
    peers: Object.entries(peers).map(([peer, bytes]) =>
      bytes === null
        ? { name: label(peer), failed: 'it could not record this' }
        : { name: label(peer), spread: spread([bytes]) },
    ),
  }
}

/** @param {string} peer */
function label(peer) {
  return peer === withoutRequests ? `${peer} (keeps no request bodies)` : peer
}
