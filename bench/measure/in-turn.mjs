// Times two subjects in turn, in one process: A B A B …, so that a machine that changes its speed changes both.
import { median } from '../statistics.mjs'
import { asked } from './child.mjs'
import { profiled } from './profile.mjs'

/**
 * @typedef {{ open(): Promise<Opened> | Opened, ops: number }} Subject
 * @typedef {{ once(number: number): unknown, close?(): unknown }} Opened `number`: 0 for the untimed first call, then 1 to `ops`
 * @typedef {{ wallUs: number, cpuUs: number }} Cost of one call
 * @typedef {{ wall: number, cpu: number, subject: Cost, limit: Cost, parts?: import('./profile.mjs').Part[] }} Compared ratios, and costs in microseconds; `parts`: of the subject's time, where a profile was asked for
 */

/** The subject against the limit: medians over the pairs; one pair before them warms up. @param {{ subject: Subject, limit: Subject, pairs: number }} what @returns {Promise<Compared>} */
export async function compareInTurn({ subject, limit, pairs }) {
  /** @type {{ subject: Cost, limit: Cost }[]} */
  const measured = []
  for (let pair = 0; pair <= pairs; pair++) {
    const first = await timeBlock(pair % 2 === 0 ? limit : subject)
    const second = await timeBlock(pair % 2 === 0 ? subject : limit)
    if (pair > 0) measured.push(pair % 2 === 0 ? { limit: first, subject: second } : { limit: second, subject: first })
  }
  const costOf = (/** @type {'subject' | 'limit'} */ side) => ({
    wallUs: median(measured.map((pair) => pair[side].wallUs)),
    cpuUs: median(measured.map((pair) => pair[side].cpuUs)),
  })
  return {
    wall: median(measured.map((pair) => pair.subject.wallUs / pair.limit.wallUs)),
    cpu: median(measured.map((pair) => pair.subject.cpuUs / pair.limit.cpuUs)),
    subject: costOf('subject'),
    limit: costOf('limit'),
    ...(asked().profile === true && { parts: await partsOfBlock(subject) }),
  }
}

/** @param {Subject} subject */
async function partsOfBlock({ open, ops }) {
  const opened = await open()
  try {
    await opened.once(0)
    return await profiled(async () => {
      for (let number = 1; number <= ops; number++) await opened.once(number)
    })
  } finally {
    await opened.close?.()
  }
}

/** @param {Subject} subject @returns {Promise<Cost>} */
async function timeBlock({ open, ops }) {
  const opened = await open()
  try {
    await opened.once(0)
    globalThis.gc?.()
    const [cpuStart, start] = [process.cpuUsage(), performance.now()]
    for (let number = 1; number <= ops; number++) await opened.once(number)
    const wallUs = (performance.now() - start) * 1000
    const { user, system } = process.cpuUsage(cpuStart)
    return { wallUs: wallUs / ops, cpuUs: (user + system) / ops }
  } finally {
    await opened.close?.()
  }
}
