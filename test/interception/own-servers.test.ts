import { createServer as createHttp } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { isOwnPort } from '../../src/interception/sockets/own-servers.ts'
import { installed, scriptedRouter } from './scripted-router.ts'

test.each<[string, () => Server]>([
  ['net', () => createServer()],
  ['http', () => createHttp()],
  ['http2', () => createHttp2() as unknown as Server],
])('knows the port of a %s server of this process while it listens', async (_, make) => {
  installed(scriptedRouter({}))
  const server = make()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  expect([isOwnPort(port), isOwnPort(port + 1)]).toEqual([true, false])
  expect(server.listenerCount('close')).toBe(0)
  await new Promise((resolve) => server.close(resolve))
  expect(isOwnPort(port)).toBe(false)
})
