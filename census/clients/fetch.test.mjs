import { cell } from '../harness/cell.mjs'
import { fetchCell } from '../harness/chat-over-http.mjs'

const fetchAtImport = globalThis.fetch

cell('fetch', { ...fetchCell(undefined, (...call) => fetch(...call)), road: 'fetch' })
cell('fetch, kept at import', { ...fetchCell(undefined, fetchAtImport), road: 'fetch' })
cell('fetch, kept before there was a tape', { ...fetchCell(undefined, globalThis.fetchBefore), road: 'undici' })
cell('fetch over TLS', { ...fetchCell(undefined, (...call) => fetch(...call)), road: 'fetch', server: 'tls' })
