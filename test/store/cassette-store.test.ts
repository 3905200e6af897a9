import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caps, defaultCaps } from '../../src/core/cassette/caps.ts'
import { contentHash } from '../../src/core/cassette/content-hash.ts'
import { decodeBody } from '../../src/core/cassette/decode-body.ts'
import type { Cassette, SideFiles } from '../../src/core/cassette/document.ts'
import { encodeBody } from '../../src/core/cassette/encode-body.ts'
import { writeCassette } from '../../src/core/cassette/write-cassette.ts'
import { isReplayError } from '../../src/errors/replay-error.ts'
import { type CassetteStore, createStore, type StoreToken } from '../../src/store/cassette-store.ts'
import { cassetteOf, httpInteraction, streamBody } from '../cassette/sample-cassette.ts'

const path = 'cassettes/test/flights.test/books.json'
const pendingPath = `node_modules/.cache/turntape/${path}`
const noSideFiles: SideFiles = new Map()
const cassette = cassetteOf(httpInteraction(1, streamBody))
const other: Cassette = { ...cassette, test: 'another name' }

let root: string
let store: CassetteStore

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'turntape-store-'))
  store = createStore({ root })
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

interface Write {
  readonly cassette: Cassette
  readonly sideFiles?: SideFiles
  readonly expected?: StoreToken
  readonly caps?: Caps
}

function write({ sideFiles = noSideFiles, expected, caps = defaultCaps, ...rest }: Write): string {
  return store.write({ path, sideFiles, expected, caps, ...rest })
}

function failure(run: () => unknown): { readonly code: string; readonly details: unknown } {
  try {
    run()
  } catch (error) {
    if (isReplayError(error)) return { code: error.code, details: error.details }
    throw error
  }
  return { code: 'none', details: undefined }
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

/** Every file below the root, so that nothing stray is overlooked. */
function files(folder = ''): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? files(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort()
}

/** The next call that would write fails as a full or protected disk makes it fail. */
function failOnce(call: 'fsyncSync' | 'renameSync' | 'openSync', code: string): void {
  const original = fs[call] as (...values: unknown[]) => unknown
  const replace = (next: unknown): void => {
    Object.assign(fs, { [call]: next })
    syncBuiltinESMExports()
  }
  replace((...values: unknown[]) => {
    if (call === 'openSync' && values[1] !== 'wx') return original(...values)
    replace(original)
    throw Object.assign(new Error(`${code}: a message with a path`), { code })
  })
}

/** A cassette whose one answer is binary and large enough for a side file. */
function withImage(fill: number): {
  readonly cassette: Cassette
  readonly sideFiles: SideFiles
  readonly name: string
  readonly bytes: Uint8Array
} {
  const bytes = new Uint8Array(2000).fill(fill)
  const body = { chunks: [{ bytes, gapMs: 0 }], end: { kind: 'complete' } } as const
  const { stored, sideFile } = encodeBody(body, { contentType: 'image/png' })
  if (stored === undefined || sideFile === undefined) return expect.fail('no side file')
  return {
    cassette: cassetteOf(httpInteraction(1, stored)),
    sideFiles: new Map([[sideFile.name, bytes]]),
    name: sideFile.name,
    bytes,
  }
}

describe('the committed cassettes', () => {
  it('are written as text that everyone may read, and read back', () => {
    expect(store.read(path, defaultCaps)).toBeUndefined()
    expect(write({ cassette })).toBe('written')
    expect(textOf(path)).toBe(writeCassette(cassette))
    expect(statSync(join(root, path)).mode & 0o777).toBe(0o644 & ~process.umask())
    const stored = store.read(path, defaultCaps)
    expect(stored?.cassette).toEqual(cassette)
    expect(stored?.bytes.toString()).toBe(writeCassette(cassette))
    expect(stored?.token).toBe(store.token(path))
    expect(files()).toEqual([path])
  })

  it('F17 that say the same already are not touched', () => {
    write({ cassette })
    const before = statSync(join(root, path))
    expect(write({ cassette, expected: store.token(path) })).toBe('unchanged')
    expect(statSync(join(root, path)).ino).toBe(before.ino)
    writeFileSync(join(root, path), writeCassette(cassette).replaceAll('\n', '\r\n'))
    expect(write({ cassette, expected: store.token(path) })).toBe('unchanged')
    expect(textOf(path)).toContain('\r\n')
  })

  it('are replaced when they are what was read', () => {
    write({ cassette })
    expect(write({ cassette: other, expected: store.token(path) })).toBe('written')
    expect(textOf(path)).toBe(writeCassette(other))
    expect(files()).toEqual([path])
  })

  it.each([
    ['appeared', undefined, 'theirs'],
    ['changed', 'ours', 'theirs'],
    ['disappeared', 'ours', undefined],
  ] as const)('that %s since they were read stay, and the recording is pending', (_, read, present) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (read !== undefined) writeFileSync(join(root, path), read)
    const expected = store.token(path)
    rmSync(join(root, path), { force: true })
    if (present !== undefined) writeFileSync(join(root, path), present)
    expect(failure(() => write({ cassette, expected }))).toEqual({
      code: 'TURNTAPE_STORE_CONFLICT',
      details: { cassette: path, pendingPath },
    })
    expect(existsSync(join(root, path)) ? textOf(path) : undefined).toBe(present)
    expect(store.readPending(path, defaultCaps)?.cassette).toEqual(cassette)
  })

  it('CU-28 are complete or as before, when a write was killed half way', () => {
    write({ cassette })
    // What a kill between the temporary file and the rename leaves behind.
    writeFileSync(join(dirname(join(root, path)), '.turntape-0011.tmp'), '{ "format": "turn')
    expect(store.read(path, defaultCaps)?.cassette).toEqual(cassette)
    expect(store.list()).toEqual([path])
    expect(write({ cassette: other, expected: store.token(path) })).toBe('written')
  })

  it('F20 over the size cap are refused: the old file and the pending ones stay as they were', () => {
    write({ cassette })
    const limit = Buffer.byteLength(writeCassette(other))
    const expected = store.token(path)
    expect(
      failure(() => write({ cassette: other, expected, caps: { ...defaultCaps, maxCassetteBytes: limit - 1 } })),
    ).toEqual({
      code: 'TURNTAPE_CAP_EXCEEDED',
      details: {
        cassette: path,
        cap: 'maxCassetteBytes',
        limit: limit - 1,
        found: limit,
        atLeast: false,
        when: 'recording',
      },
    })
    expect(textOf(path)).toBe(writeCassette(cassette))
    expect(files()).toEqual([path])
    expect(write({ cassette: other, expected, caps: { ...defaultCaps, maxCassetteBytes: limit } })).toBe('written')
  })

  it('F20 over the size cap are refused before they are read', () => {
    write({ cassette })
    // No permission to read content could not be told from the cap otherwise: the text is no cassette at all.
    writeFileSync(join(root, path), 'x'.repeat(101))
    expect(failure(() => store.read(path, { ...defaultCaps, maxCassetteBytes: 100 }))).toMatchObject({
      code: 'TURNTAPE_CAP_EXCEEDED',
      details: { found: 101, limit: 100, when: 'loading' },
    })
  })

  it('that cannot be written say why, without a machine path, and the recording is pending', () => {
    // A file in the place of a folder fails for every user, root included.
    writeFileSync(join(root, 'cassettes'), '')
    const { code, details } = failure(() => write({ cassette }))
    expect(code).toBe('TURNTAPE_STORE_FAILED')
    expect(details).toEqual({
      cassette: path,
      pendingPath,
      reason: expect.stringMatching(/^(a file is in the place|EEXIST)/),
    })
    expect(textOf(pendingPath)).toBe(writeCassette(cassette))
  })

  it.each([
    ['fsyncSync', 'ENOSPC', 'no space left on the device (ENOSPC)'],
    ['renameSync', 'EROFS', 'the file system is read-only (EROFS)'],
    ['openSync', 'EACCES', 'permission denied (EACCES)'],
  ] as const)('stay as they were when %s fails with %s, and the recording is pending', (call, code, reason) => {
    write({ cassette })
    const expected = store.token(path)
    failOnce(call, code)
    const { details } = failure(() => write({ cassette: other, expected }))
    expect(details).toEqual({ cassette: path, pendingPath, reason })
    expect(textOf(path)).toBe(writeCassette(cassette))
    expect(textOf(pendingPath)).toBe(writeCassette(other))
    expect(files()).toEqual([path, pendingPath].sort())
  })

  it.skipIf(process.getuid?.() === 0)('in a read-only folder say so', () => {
    write({ cassette })
    chmodSync(dirname(join(root, path)), 0o555)
    const { code, details } = failure(() => write({ cassette: other, expected: store.token(path) }))
    chmodSync(dirname(join(root, path)), 0o755)
    expect({ code, details }).toMatchObject({
      code: 'TURNTAPE_STORE_FAILED',
      details: { reason: 'permission denied (EACCES)' },
    })
    expect(textOf(path)).toBe(writeCassette(cassette))
  })

  it('that are a folder are an error, not a missing cassette', () => {
    mkdirSync(join(root, path), { recursive: true })
    expect(failure(() => store.read(path, defaultCaps))).toEqual({
      code: 'TURNTAPE_CASSETTE_INVALID',
      details: { cassette: path, reason: 'it is no file' },
    })
    expect(failure(() => write({ cassette }))).toMatchObject({
      code: 'TURNTAPE_STORE_FAILED',
      details: { pendingPath },
    })
  })

  it.each([
    '../a.json',
    '/etc/a.json',
    'cassettes/../../a.json',
    'cassettes\\a.json',
    'cassettes/a.txt',
    'cassettes/a\u0000.json',
  ])('F19 never have the path %j', (place) => {
    const details = { option: 'path', given: JSON.stringify(place), expected: expect.any(String) }
    const { code, details: found } = failure(() => store.read(place, defaultCaps))
    expect({ code, found }).toEqual({ code: 'TURNTAPE_INVALID_OPTION', found: details })
    expect(failure(() => store.remove(place, undefined)).code).toBe('TURNTAPE_INVALID_OPTION')
  })

  it('are listed in order, without side files and temporary files', () => {
    const image = withImage(0xfe)
    write(image)
    for (const name of [
      'cassettes/a.json',
      'cassettes/b.files/inner.json',
      'cassettes/.hidden.json',
      'cassettes/notes.md',
    ]) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), '')
    }
    expect(store.list()).toEqual(['cassettes/a.json', 'cassettes/b.files/inner.json', path])
    expect(createStore({ root: join(root, 'nowhere') }).list()).toEqual([])
  })

  it('are removed with their side files and the folders that are empty then', () => {
    write(withImage(0xfe))
    mkdirSync(join(root, 'cassettes/kept'), { recursive: true })
    expect(store.remove(path, store.token(path))).toBe('removed')
    expect(files()).toEqual([])
    expect(readdirSync(join(root, 'cassettes'))).toEqual(['kept'])
    expect(store.remove(path, undefined)).toBe('absent')
  })

  it('are removed only as what was read', () => {
    const image = withImage(0xfe)
    write(image)
    const read = store.token(path)
    const text = readFileSync(join(root, path), 'utf8')
    writeFileSync(join(root, path), `${text}\n`)
    expect(store.remove(path, read)).toBe('changed')
    expect(store.remove(path, undefined)).toBe('changed')
    expect(files()).toEqual([join('cassettes/test/flights.test/books.files', image.name), path])
    writeFileSync(join(root, path), text)
    expect(store.remove(path, read)).toBe('removed')
  })
})

describe('side files', () => {
  const folder = 'cassettes/test/flights.test/books.files'

  it('F5 are written beside the cassette and checked when read', () => {
    const image = withImage(0xfe)
    write(image)
    expect(files()).toEqual([join(folder, image.name), path])
    const stored = store.read(path, defaultCaps)
    expect(stored?.sideFiles.get(image.name)).toEqual(image.bytes)
    expect(stored?.sideFiles.get('other')).toBeUndefined()
    expect([...(stored?.sideFiles ?? [])]).toEqual([[image.name, image.bytes]])
    const interaction = stored?.cassette.interactions[0] as ReturnType<typeof httpInteraction> | undefined
    const body = interaction?.response?.body
    if (stored === undefined || body === undefined) return expect.fail('nothing was stored')
    expect(decodeBody(body, stored.sideFiles).chunks).toEqual([{ bytes: image.bytes, gapMs: 0 }])
  })

  it('SN-06 that the new cassette does not name are removed, and a folder without any', () => {
    const first = withImage(0xfe)
    const second = withImage(0xff)
    write(first)
    write({ ...second, expected: store.token(path) })
    expect(files()).toEqual([join(folder, second.name), path])
    write({ cassette, expected: store.token(path) })
    expect(files()).toEqual([path])
    expect(existsSync(join(root, folder))).toBe(false)
  })

  it('that stay are kept without being given again', () => {
    const image = withImage(0xfe)
    write(image)
    write({ cassette: { ...image.cassette, test: 'renamed' }, expected: store.token(path) })
    expect(store.read(path, defaultCaps)?.sideFiles.get(image.name)).toEqual(image.bytes)
  })

  it.each([
    ['is missing', (file: string) => rmSync(file)],
    ['was altered', (file: string) => writeFileSync(file, new Uint8Array(2000))],
    ['was altered', (file: string) => writeFileSync(file, 'short')],
  ])('F19 a side file that %s is one clear error, when it is needed', (what, damage) => {
    const image = withImage(0xfe)
    write(image)
    damage(join(root, folder, image.name))
    const stored = store.read(path, defaultCaps)
    expect(stored?.sideFiles.has(image.name)).toBe(true)
    expect(failure(() => stored?.sideFiles.get(image.name))).toEqual({
      code: 'TURNTAPE_CASSETTE_INVALID',
      details: { cassette: path, reason: `its side file ${image.name} ${what}` },
    })
  })

  it('F19 a link that leads out of the folder is not followed, even to the right bytes', () => {
    const image = withImage(0xfe)
    write(image)
    const outside = join(root, 'outside.png')
    writeFileSync(outside, image.bytes)
    expect(contentHash(readFileSync(outside))).toBe(image.name.slice(0, 64))
    rmSync(join(root, folder, image.name))
    symlinkSync(outside, join(root, folder, image.name))
    const reason = `its side file ${image.name} leads out of the folder of the cassette`
    expect(failure(() => store.read(path, defaultCaps)?.sideFiles.get(image.name))).toMatchObject({
      details: { reason },
    })

    rmSync(join(root, folder), { recursive: true })
    mkdirSync(join(root, 'elsewhere'))
    writeFileSync(join(root, 'elsewhere', image.name), image.bytes)
    symlinkSync(join(root, 'elsewhere'), join(root, folder))
    expect(failure(() => store.read(path, defaultCaps)?.sideFiles.get(image.name))).toMatchObject({
      details: { reason },
    })
  })
})

describe('pending recordings', () => {
  it('are kept with their side files for the user alone, read, listed and removed', () => {
    const image = withImage(0xfe)
    expect(store.writePending({ path, ...image })).toBe(pendingPath)
    expect(statSync(join(root, pendingPath)).mode & 0o777).toBe(0o600)
    expect(store.list()).toEqual([])
    expect(store.listPending()).toEqual([path])
    const pending = store.readPending(path, defaultCaps)
    expect(pending?.cassette).toEqual(image.cassette)
    expect(pending?.sideFiles.get(image.name)).toEqual(image.bytes)
    expect(store.removePending(path)).toBe(true)
    expect(files()).toEqual([])
    expect(store.readPending(path, defaultCaps)).toBeUndefined()
    expect(store.removePending(path)).toBe(false)
  })

  it('replace an earlier one', () => {
    store.writePending({ path, cassette, sideFiles: noSideFiles })
    store.writePending({ path, cassette: other, sideFiles: noSideFiles })
    expect(textOf(pendingPath)).toBe(writeCassette(other))
  })

  it('without interactions are not written', () => {
    expect(store.writePending({ path, cassette: cassetteOf(), sideFiles: noSideFiles })).toBeUndefined()
    expect(files()).toEqual([])
  })

  it('that cannot be written fail nothing', () => {
    writeFileSync(join(root, 'node_modules'), '')
    expect(store.writePending({ path, cassette, sideFiles: noSideFiles })).toBeUndefined()
    writeFileSync(join(root, 'cassettes'), '')
    expect(failure(() => write({ cassette }))).toMatchObject({
      code: 'TURNTAPE_STORE_FAILED',
      details: { pendingPath: undefined },
    })
  })

  it('may have a root elsewhere', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'turntape-pending-'))
    const kept = createStore({ root, pendingRoot: elsewhere }).writePending({ path, cassette, sideFiles: noSideFiles })
    expect(kept).toBe(join(elsewhere, path))
    expect(files()).toEqual([])
    rmSync(elsewhere, { recursive: true })
  })
})
