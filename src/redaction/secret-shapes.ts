import type { SecretShape } from './secret-shape.ts'
import { credentialShapes } from './shapes-of-credentials.ts'
import { modelShapes } from './shapes-of-models.ts'
import { serviceShapes } from './shapes-of-services.ts'

/** All shapes of known keys. Compared by hand with the rule set of gitleaks, see docs/decisions/0008-secret-shapes.md. */
export const secretShapes: readonly SecretShape[] = [...modelShapes, ...serviceShapes, ...credentialShapes]
