import vm from 'node:vm'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { installInterception } from '../../src/interception/install-interception.ts'
import { loopbackServer } from './loopback-server.ts'
import { installed, scriptedRouter, served } from './scripted-router.ts'

const url = 'https://api.example.com/v1/chat'
const answering = (text: string) => scriptedRouter({ route: () => ({ kind: 'respond', response: served([text]) }) })
const textOf = async (call: Promise<Response>) => (await call).text()
const symbols = [1, 2].map((generation) => Symbol.for(`undici.globalDispatcher.${generation}`))
const dispatchers = () => symbols.map((symbol) => (globalThis as unknown as Record<symbol, unknown>)[symbol])

describe('installing', () => {
  test('keeps the name and the length of fetch, and takes everything off again', async () => {
    void globalThis.Response
    const native = { fetch: globalThis.fetch, first: dispatchers()[0] }
    const interception = installInterception(answering('ours'))
    onTestFinished(() => interception.uninstall())
    interception.ensure()
    expect([fetch.name, fetch.length, fetch === native.fetch]).toEqual([native.fetch.name, native.fetch.length, false])
    expect(dispatchers()[0]).not.toBe(native.first)
    expect(dispatchers()[1]).toBeDefined()
    interception.uninstall()
    interception.uninstall()
    expect([globalThis.fetch === native.fetch, dispatchers()[0] === native.first]).toEqual([true, true])
  })

  test('a second install decides alone, stacks nothing, and gives back what it took', async () => {
    const first = installed(answering('first'))
    const [wrapper, ...road] = [globalThis.fetch, ...dispatchers()]
    const second = answering('second')
    const interception = installInterception(second)
    interception.ensure()
    expect([globalThis.fetch, ...dispatchers()]).toEqual([wrapper, ...road])
    expect(await textOf(fetch(url))).toBe('second')
    expect([first.peeked.length, second.peeked.length]).toEqual([0, 1])
    interception.uninstall()
    expect(await textOf(fetch(url))).toBe('first')
  })

  test('a second copy of the package finds the roads of the first', async () => {
    installed(answering('first'))
    vi.resetModules()
    const copy = await import('../../src/interception/install-interception.ts')
    expect(copy.installInterception).not.toBe(installInterception)
    const roads = [globalThis.fetch, ...dispatchers()]
    const router = answering('copy')
    const interception = copy.installInterception(router)
    onTestFinished(() => interception.uninstall())
    interception.ensure()
    expect([globalThis.fetch, ...dispatchers()]).toEqual(roads)
    expect(await textOf(fetch(url))).toBe('copy')
    expect(router.routed).toHaveLength(1)
  })

  test('is reached from a vm context through the dispatcher of the outer realm', async () => {
    const router = installed(answering('outer'))
    const native = vm.runInThisContext('void 0') ?? globalThis.fetch
    const context = vm.createContext({ fetch: native })
    expect(await vm.runInContext(`fetch('${url}').then((response) => response.text())`, context)).toBe('outer')
    expect(router.routed).toHaveLength(1)
  })

  test('ensure wraps a fetch that user code put in its place, and keeps the properties it has', async () => {
    const router = installed(answering('ours'))
    const before = globalThis.fetch
    onTestFinished(() => {
      globalThis.fetch = before
    })
    const theirs = Object.assign(async () => new Response('theirs'), { theirs: true })
    globalThis.fetch = theirs as typeof fetch
    expect(await textOf(fetch(url))).toBe('theirs')
    router.interception.ensure()
    expect(await textOf(fetch(url))).toBe('ours')
    expect(Reflect.get(fetch, 'theirs')).toBe(true)
  })

  test('a wrapper of the user over ours is wrapped again, and the router asked once a call', async () => {
    const router = installed(scriptedRouter({}))
    const ours = globalThis.fetch
    onTestFinished(() => {
      globalThis.fetch = ours
    })
    globalThis.fetch = (input, init) => ours(input, init)
    router.interception.ensure()
    const server = await loopbackServer((_, response) => void response.end('live'))
    expect(await textOf(fetch(server.url))).toBe('live')
    expect(router.routed).toHaveLength(1)
  })

  test('ensure leaves a mock function of the test alone: it is the user’s own answer', async () => {
    const router = installed(answering('ours'))
    const mock = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('mocked'))
    onTestFinished(() => mock.mockRestore())
    router.interception.ensure()
    expect(await textOf(fetch(url))).toBe('mocked')
    expect(mock).toHaveBeenCalledTimes(1)
    expect(globalThis.fetch).toHaveBeenCalledTimes(1)
  })

  test('everything goes through once nothing is installed, also by a wrapper someone kept', async () => {
    const interception = installInterception(answering('ours'))
    interception.ensure()
    const kept = globalThis.fetch
    interception.uninstall()
    const server = await loopbackServer((_, response) => void response.end('live'))
    expect(await textOf(kept(server.url))).toBe('live')
  })
})
