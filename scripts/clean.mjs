// Empties dist before a build: tsup's own `clean` would let one config of an array delete another's declarations.
import { rmSync } from 'node:fs'

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })
