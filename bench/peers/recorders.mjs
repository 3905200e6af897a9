// What each recorder puts on disk for the same calls: its own kind of file, written by itself.
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { load } from '../measure/child.mjs'

/**
 * @typedef {() => Promise<void>} MakeCalls every call of the recording, once
 * @typedef {{ record(folder: string, makeCalls: MakeCalls): Promise<void>, read?: Reader, leastNode?: number }} Recorder
 * @typedef {(folder: string) => Promise<() => unknown>} Reader what it does with the file when a test begins
 */

const name = 'recording'

/** @type {Record<string, Recorder>} */
export const recorders = {
  'vcr-test (YAML)': {
    async record(folder, makeCalls) {
      const { VCR, FileStorage, RecordMode } = await load('vcr-test')
      const vcr = new VCR(new FileStorage(folder))
      vcr.mode = RecordMode.all
      await vcr.useCassette(name, makeCalls)
    },
    async read(folder) {
      const { FileStorage } = await load('vcr-test')
      const storage = new FileStorage(folder)
      return () => storage.load(name)
    },
  },
  'Polly (HAR)': {
    async record(folder, makeCalls) {
      const polly = await startPolly(folder, 'record')
      await makeCalls()
      await polly.stop()
    },
    async read(folder) {
      const polly = await startPolly(folder, 'replay')
      return () => polly.persister.onFindRecording(polly.recordingId)
    },
  },
  nock: {
    leastNode: 22,
    async record(folder, makeCalls) {
      const { default: nock } = await load('nock')
      if (!nock.isActive()) nock.activate()
      nock.recorder.rec({ output_objects: true, dont_print: true })
      await makeCalls()
      writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(nock.recorder.play(), null, 2))
      nock.restore()
      nock.recorder.clear()
    },
    async read(folder) {
      const { default: nock } = await load('nock')
      return () => {
        nock.load(path.join(folder, `${name}.json`))
        nock.cleanAll()
      }
    },
  },
  'undici SnapshotAgent': {
    leastNode: 22,
    async record(folder, makeCalls) {
      const { SnapshotAgent, getGlobalDispatcher, setGlobalDispatcher } = await load('undici')
      const native = getGlobalDispatcher()
      const agent = new SnapshotAgent({ mode: 'record', snapshotPath: path.join(folder, `${name}.json`) })
      setGlobalDispatcher(agent)
      await makeCalls()
      await agent.saveSnapshots()
      setGlobalDispatcher(native)
    },
    async read(folder) {
      const { SnapshotAgent } = await load('undici')
      const agent = new SnapshotAgent({ mode: 'playback', snapshotPath: path.join(folder, `${name}.json`) })
      return () => agent.loadSnapshots()
    },
  },
}

/** @param {string} folder @param {'record' | 'replay'} mode */
async function startPolly(folder, mode) {
  const { Polly } = await load('@pollyjs/core')
  const { default: FetchAdapter } = await load('@pollyjs/adapter-fetch')
  const { default: FilePersister } = await load('@pollyjs/persister-fs')
  Polly.register(FetchAdapter)
  Polly.register(FilePersister)
  return new Polly(name, {
    adapters: ['fetch'],
    persister: 'fs',
    persisterOptions: { fs: { recordingsDir: folder } },
    mode,
    recordIfMissing: mode === 'record',
    logLevel: 'silent',
    matchRequestsBy: { order: false, headers: false },
  })
}

/** Bytes of all files below a folder. @param {string} folder */
export function bytesBelow(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0)
}
