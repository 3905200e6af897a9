/** Bytes are sacred (promise 1, promise 4, F5, F6, F13): through a real server, a real client and a file, with whatever is odd about them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject } from '../projects/project.ts'

interface OddAnswer {
  readonly type: string
  readonly bytes: Buffer
}

const utf16 = Buffer.from('\ufeff{"a":"é"}', 'utf16le')

/** What a server may send, by what is odd about it. */
const answers: Readonly<Record<string, OddAnswer>> = {
  'spellings of numbers': json('{"a":1.0,"b":-0,"c":1E2,"d":0.10,"e":12345678901234567890,"f":1e400}'),
  'white space': json(' {\n\t"a" :1 ,"b":[ ]\r\n}\n\n '),
  escapes: json('{"\\u0061":"\\/\\u00E9\\u00e9\\ud83d\\ude00\u2028é"}'),
  'duplicate names': json('{"a":1,"a":2,"__proto__":{"b":1},"2":0,"1":0}'),
  'lone surrogates': json('{"a":"\\ud800","b":"\\udc00x"}'),
  'a NUL and other controls': json('{"a":"\u0000\u001b[2J\u0007"}'),
  'a byte order mark': json('\ufeff{"a":1}'),
  latin1: { type: 'application/json; charset=iso-8859-1', bytes: Buffer.from('{"a":"é"}', 'latin1') },
  'UTF-16': { type: 'application/json; charset=utf-16', bytes: utf16 },
  'a character that is cut': { type: 'text/plain', bytes: Buffer.from([0x61, 0xe2, 0x82]) },
  'an odd stream': {
    type: 'text/event-stream',
    bytes: Buffer.from(
      '\ufeffdata:{"a":1.0}\r\rdata: {"a": 2}\n\n:\n\ndata: {"a":3}\r\n\r\nevent:x\ndata\n\ndata: \ud800€',
    ),
  },
  nothing: { type: 'application/json', bytes: Buffer.alloc(0) },
}

/** A body, one that says the same, and one that does not. */
const requests: Readonly<Record<string, readonly [sent: Body, same: Body, other: Body]>> = {
  'a number that no double holds': ['{"a":9007199254740993}', '{"a": 9007199254740993.0}', '{"a":9007199254740992}'],
  'a number beyond doubles': ['{"a":1e400}', '{"a":10e399}', '{"a":1e401}'],
  'the spelling of a number': ['{"a":1.0}', '{"a":10e-1}', '{"a":1.0000000000000000001}'],
  'white space': ['{"a":"b c"}', ' { "a" : "b c" }\n', '{"a":"b  c"}'],
  escapes: ['{"a":"\\u0062"}', '{"\\u0061":"b"}', '{"a":"\\\\u0062"}'],
  'the order of names': ['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":2,"b":1}'],
  'the order of a list': ['{"a":[1,2]}', '{"a":[1, 2]}', '{"a":[2,1]}'],
  'names that stand twice': ['{"a":1,"a":2}', '{"a":1,"a":2}', '{"a":2,"a":1}'],
  'a lone surrogate': ['{"a":"\\ud800"}', '{"a":"\\ud800"}', '{"a":"\\ufffd"}'],
  'a NUL': ['{"a":"\\u0000"}', '{"a": "\\u0000"}', '{"a":""}'],
  'a prototype': ['{"__proto__":{"a":1}}', '{"__proto__":{"a": 1}}', '{}'],
  'text and its white space': ['a b', 'a b', 'a  b'],
  'text and its line ends': ['a\nb', 'a\nb', 'a\r\nb'],
  'bytes that are no text': [{ hex: 'e9' }, { hex: 'e9' }, { hex: 'c3a9' }],
  'a byte order mark': ['\ufeff{"a":1}', '\ufeff{"a":1}', '{"a":1}'],
}

type Body = string | { readonly hex: string }

function json(text: string): OddAnswer {
  return { type: 'application/json', bytes: Buffer.from(text) }
}

let server: Server
let asked = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1
    request.resume().on('end', () => {
      const name = decodeURIComponent(request.url?.split('/')[1] ?? '')
      const { type, bytes } = answers[name] ?? json('{"ok":true}')
      response.writeHead(200, { 'content-type': type })
      // In two pieces, cut where characters and escapes are.
      response.write(bytes.subarray(0, bytes.length >> 1))
      setImmediate(() => response.end(bytes.subarray(bytes.length >> 1)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.close()
})

const file = `
import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import { test } from 'turntape/vitest'
import { answers, requests } from './cases.js'
const send = (name, body) => fetch(\`\${process.env.MODEL_URL}/\${encodeURIComponent(name)}/v1/chat/completions\`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
const bodyOf = (body) => typeof body === 'string' ? body : Buffer.from(body.hex, 'hex')
for (const name of answers) test('answer: ' + name, async () => {
  const bytes = Buffer.from(await (await send(name, '{"model":"m","messages":[]}')).arrayBuffer())
  appendFileSync(process.env.OUT, JSON.stringify([name, bytes.toString('hex')]) + '\\n')
})
for (const [name, bodies] of Object.entries(requests)) test('request: ' + name, async () => {
  expect((await send(name, bodyOf(bodies[process.env.WHICH]))).status).toBe(200)
})
`

test('promise 1 promise 4 odd bytes are replayed as they came, and a request is known by what it says', async () => {
  const project = createProject({
    'odd.test.js': file,
    'cases.js': `export const answers = ${JSON.stringify(Object.keys(answers))}\nexport const requests = ${JSON.stringify(requests)}\n`,
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const run = async (which: number, env: Readonly<Record<string, string>> = {}) => {
    const before = asked
    const out = `out-${which}.txt`
    const { output, code } = await project.vitest(
      ['--reporter=verbose', '--reporter=json', '--outputFile.json=result.json'],
      {
        env: { MODEL_URL: url, WHICH: String(which), OUT: out, ...env },
      },
    )
    const { testResults } = JSON.parse(project.read('result.json')) as {
      readonly testResults: readonly {
        readonly assertionResults: readonly {
          readonly fullName: string
          readonly status: string
          readonly failureMessages: readonly string[]
        }[]
      }[]
    }
    const received = project
      .read(out)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, string])
    return { output, code, live: asked - before, tests: testResults.flatMap((one) => one.assertionResults), received }
  }
  const sent = Object.entries(answers).map(([name, { bytes }]) => [name, bytes.toString('hex')])

  const recorded = await run(0)
  expect(recorded.code, recorded.output).toBe(0)
  expect(recorded.received).toEqual(sent)
  expect(recorded.live).toBe(sent.length + Object.keys(requests).length)

  const replayed = await run(1, { CI: '1' })
  expect(replayed.code, replayed.output).toBe(0)
  expect(replayed.received).toEqual(sent)
  expect(replayed.live).toBe(0)

  const others = await run(2, { CI: '1' })
  const failed = others.tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  expect(failed).toEqual(Object.keys(requests).map((name) => `request: ${name}`))
  for (const { failureMessages, status } of others.tests) {
    if (status === 'failed') expect(failureMessages[0]).toMatch(/^DivergenceError: /)
  }
  expect(others.live).toBe(0)
})
