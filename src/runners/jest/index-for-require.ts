/** `require('turntape')`: the one build, which Node itself can require; inside of Jest only from outside of its realm. */
import { requireOutside } from './load-core.ts'

declare const module: { exports: unknown }

module.exports = requireOutside('./index.js')
