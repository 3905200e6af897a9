import type { ErrorDetails } from '../codes.ts'
import type { Remedy } from '../divergence-details.ts'
import { elide, elideMiddle } from '../elide.ts'
import { composeMessage, counted, quoted } from './compose-message.ts'

const shownTests = 5

/** TURNTAPE_UNATTRIBUTED: several tests run, and the call's async context leads to none of them. */
export function unattributedMessage({ request, running }: ErrorDetails['TURNTAPE_UNATTRIBUTED']): string {
  const shown = running.slice(0, shownTests).map((test) => `  ${elideMiddle(test, 90)}`)
  const rest = running.length - shown.length
  return composeMessage({
    headline: `A call belongs to no test that is running: ${elideMiddle(request, 80)}`,
    facts: [['request', request]],
    paragraphs: [
      'Its async context was lost on the way (a shared queue, a batcher, an event emitter or a worker loop made the ' +
        'call), so it is not known which cassette it belongs to. It was refused.',
    ],
    lines:
      running.length === 0 ? [] : ['running', ...shown, ...(rest > 0 ? [`  … and ${counted(rest, 'more test')}`] : [])],
    remedies: [
      { why: 'Keep the context where work is handed over (node:async_hooks)', command: 'AsyncResource.bind(callback)' },
      { why: 'Or run these tests one after another', command: 'describe.sequential(name, fn)' },
    ],
  })
}

/** TURNTAPE_LATE_CALL: the test that the call belongs to is over. */
export function lateCallMessage({ request, test, mode, refused }: ErrorDetails['TURNTAPE_LATE_CALL']): string {
  const wasRefused = refused ?? !(mode === 'record' || mode === 'update')
  return composeMessage({
    headline: `A call started after its test had ended: ${quoted(test)}`,
    facts: [
      ['test', test],
      ['request', request],
    ],
    paragraphs: [
      wasRefused
        ? 'It was refused: the cassette was closed with the test.'
        : 'It went out live and is not on the cassette, so a replay could not serve it.',
    ],
    remedies: [{ why: 'Wait for the work within the test', command: 'await Promise.all(pendingWork)' }],
  })
}

/** TURNTAPE_OUTSIDE_TEST: in `beforeAll` or at module scope of a covered file. */
export function outsideTestMessage({ request, file }: ErrorDetails['TURNTAPE_OUTSIDE_TEST']): string {
  const remedies: Remedy[] = [
    { why: 'Make it inside a test, or before each one', command: 'beforeEach(async () => { … })' },
  ]
  const host = hostOf(request)
  // Never for a model call: that would turn its recording off in every test.
  if (host !== undefined && !/\/(?:completions|responses|messages|embeddings)$|enerateContent$/.test(request))
    remedies.push({ why: 'Or let this host through, live in every run', command: passthrough(host) })
  return composeMessage({
    headline: `A call was made outside of any test: ${elideMiddle(file, 90)}`,
    facts: [
      ['file', file],
      ['request', request],
    ],
    paragraphs: ['In beforeAll or at module scope no cassette is open, so the call was refused.'],
    remedies,
  })
}

/** TURNTAPE_UNCAPTURED_CONNECTION: a socket that no road of ours watches. */
export function uncapturedConnectionMessage(details: ErrorDetails['TURNTAPE_UNCAPTURED_CONNECTION']): string {
  const target = `${elide(details.host, 80)}${details.port === undefined ? '' : `:${details.port}`}`
  return composeMessage({
    headline: `A connection to ${target} would go round the recording`,
    facts: [
      ['test', details.test],
      ['connection', target],
    ],
    paragraphs: [
      'It was opened by none of the roads that are captured (fetch, node:http, HTTP/2), but by a WebSocket, a socket or a ' +
        'native client, so it can be neither recorded nor replayed. It was refused before anything was sent.',
    ],
    remedies: [
      {
        why: 'Use a client that calls over HTTP, or let this host through, live in every run',
        command: passthrough(details.host),
      },
      ...(details.client === undefined ? [] : [undiciRemedy]),
    ],
  })
}

/** Where it is a copy that this package does not find (Jest, vm pools): what is global is asked all the same. */
const undiciRemedy: Remedy = {
  why: 'Or, if it is a client, pool or agent of undici, make it the global one, which is recorded',
  command: 'setGlobalDispatcher(agent)',
}

/** TURNTAPE_LIVE_IN_REPLAY: a tool that runs for real under `strict: false` wants to reach the outside. */
export function liveInReplayMessage({ request, test, tool }: ErrorDetails['TURNTAPE_LIVE_IN_REPLAY']): string {
  const host = hostOf(request)
  return composeMessage({
    headline: `Tool ${quoted(tool, 60)} ran for real and called the outside`,
    facts: [
      ['test', test],
      ['request', request],
    ],
    paragraphs: [
      'No recorded result fits this call of the tool, and with strict: false a tool then runs. Nothing else of a replay ' +
        'goes to the network, so what it asked for was refused.',
    ],
    remedies: [
      { why: 'To see which arguments changed', command: 'strict: true' },
      ...(host === undefined
        ? []
        : [{ why: 'Or let this host through, live in every run', command: passthrough(host) }]),
    ],
  })
}

function passthrough(host: string): string {
  return `passthrough: ['${elide(host.replace(/['\\]/g, ''), 120)}']`
}

function hostOf(request: string): string | undefined {
  return /https?:\/\/(?:[^/\s@]*@)?([^/\s?#:]+|\[[^\]\s]+\])/.exec(request)?.[1]
}
