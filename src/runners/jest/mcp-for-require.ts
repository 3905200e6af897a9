/** `require('turntape/mcp')`: as `index-for-require.ts`. */
import { requireOutside } from './load-core.ts'

declare const module: { exports: unknown }

module.exports = requireOutside('./mcp.js')
