import { type SecretShape, sampleLetters } from './secret-shape.ts'

/** Credentials that are known by their form, whoever made them. */
export const credentialShapes: readonly SecretShape[] = [
  {
    kind: 'jwt',
    starts: ['eyJ'],
    rest: /[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*/y,
    sample: `${sampleLetters}.${sampleLetters}.${sampleLetters}`,
  },
  {
    kind: 'private-key',
    starts: ['-----BEGIN '],
    // Never ends on a backslash: in a JSON text that would swallow the escape of what follows.
    rest: /(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s\\nr]{0,8}(?:Proc-Type|DEK-Info|Version|Comment):[^"\n\\]{0,80}){0,4}[A-Za-z0-9+/=\s\\]{40}[A-Za-z0-9+/=\s\\]*(?<!\\)(?:-----END [A-Z0-9 ]{1,50}-----)?/y,
    sample: `RSA PRIVATE KEY-----\n${sampleLetters}\n${sampleLetters}\n-----END RSA PRIVATE KEY-----`,
  },
  {
    kind: 'age-key',
    starts: ['AGE-SECRET-KEY-1'],
    rest: /[A-Z0-9]{58}/y,
    sample: sampleLetters.toUpperCase().repeat(2).slice(0, 58),
  },
  {
    kind: 'bearer-token',
    starts: ['Bearer ', 'bearer ', 'BEARER '],
    rest: /(?=[A-Za-z._~+/=-]{0,400}[0-9])[A-Za-z0-9._~+/-]{16}[A-Za-z0-9._~+/-]*={0,2}/y,
    keeps: 'start',
    sample: sampleLetters,
  },
  {
    kind: 'basic-credentials',
    starts: ['Authorization: Basic ', 'authorization: Basic ', 'authorization: basic '],
    rest: /[A-Za-z0-9+/]{8}[A-Za-z0-9+/]*={0,2}/y,
    keeps: 'start',
    sample: sampleLetters,
  },
]
