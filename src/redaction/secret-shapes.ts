/**
 * Shapes of known keys: what a shape begins with, and what must follow. A finder looks for the beginnings first, since
 * most texts hold none. Every `rest` is sticky and linear: one run of one class, no nested repetition.
 */
export interface SecretShape {
  readonly kind: string
  /** Literal beginnings, longest first. */
  readonly starts: readonly string[]
  /** What follows a beginning, sticky. */
  readonly rest: RegExp
  /** `start`: the beginning is only the context (`Bearer `) and stays. */
  readonly keeps?: 'start'
  /** A made-up rest that matches, apart from its beginning so that no scanner takes this file for a leak. */
  readonly sample: string
}

const letters = 'Zq7Rw2Xn9Kd4Tb6Yh1Mv8Jc3Lp5Gs0FaUeWi'
const hexDigits = '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071'

/** One or more runs of token letters, at least `least` long. A digit is asked for where words could look alike. */
function token(least: number, options?: { readonly also?: string; readonly digit?: true }): RegExp {
  const letter = `[A-Za-z0-9${options?.also ?? ''}]`
  const digit = options?.digit === true ? `(?=[A-Za-z${options.also ?? ''}]*[0-9])` : ''
  // `{n}` and then `*`, not `{n,}`: the second form keeps a counter per letter and can exhaust the matcher's stack.
  return new RegExp(`${digit}${letter}{${least}}${letter}*`, 'y')
}

const dashed = '_-'

export const secretShapes: readonly SecretShape[] = [
  { kind: 'anthropic-key', starts: ['sk-ant-'], rest: token(20, { also: dashed }), sample: `api03-${letters}` },
  { kind: 'openrouter-key', starts: ['sk-or-'], rest: token(20, { also: dashed }), sample: `v1-${hexDigits}` },
  {
    kind: 'langfuse-key',
    starts: ['sk-lf-'],
    rest: token(20, { also: dashed }),
    sample: '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9',
  },
  {
    kind: 'openai-key',
    starts: ['sk-svcacct-', 'sk-admin-', 'sk-proj-', 'sk-'],
    rest: token(20, { also: dashed, digit: true }),
    sample: letters,
  },
  { kind: 'openai-ephemeral-key', starts: ['ek_'], rest: token(20, { digit: true }), sample: letters },
  { kind: 'google-key', starts: ['AIza'], rest: token(35, { also: dashed }), sample: letters },
  {
    kind: 'google-key',
    starts: ['AQ.'],
    rest: token(40, { also: dashed, digit: true }),
    sample: `${letters}${letters}`,
  },
  { kind: 'google-token', starts: ['ya29.', 'GOCSPX-'], rest: token(20, { also: '_.-' }), sample: letters },
  { kind: 'github-token', starts: ['github_pat_'], rest: token(22, { also: '_' }), sample: letters },
  {
    kind: 'github-token',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    rest: token(30, { also: '_' }),
    sample: letters,
  },
  { kind: 'gitlab-token', starts: ['glpat-'], rest: token(20, { also: dashed }), sample: letters },
  {
    kind: 'aws-access-key-id',
    starts: ['AKIA', 'ASIA'],
    rest: /[A-Z0-9]{16}[A-Za-z0-9]*/y,
    sample: 'Q7RW2XN9KD4TB6YH',
  },
  { kind: 'bedrock-key', starts: ['ABSK'], rest: /[A-Za-z0-9+/]{100}[A-Za-z0-9+/]*={0,2}/y, sample: letters.repeat(3) },
  {
    kind: 'slack-token',
    starts: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxc-', 'xoxd-', 'xapp-'],
    rest: token(16, { also: '-', digit: true }),
    sample: '102938475610-Zq7Rw2Xn9Kd4Tb6Y',
  },
  { kind: 'groq-key', starts: ['gsk_'], rest: token(32), sample: letters },
  { kind: 'xai-key', starts: ['xai-'], rest: token(32), sample: letters },
  { kind: 'huggingface-token', starts: ['hf_'], rest: token(30), sample: letters },
  { kind: 'replicate-token', starts: ['r8_'], rest: token(30), sample: letters },
  { kind: 'perplexity-key', starts: ['pplx-'], rest: token(30), sample: letters },
  { kind: 'nvidia-key', starts: ['nvapi-'], rest: token(40, { also: dashed }), sample: `${letters}${letters}` },
  { kind: 'cerebras-key', starts: ['csk-'], rest: token(32), sample: letters },
  { kind: 'tavily-key', starts: ['tvly-'], rest: token(20, { also: dashed, digit: true }), sample: letters },
  { kind: 'elevenlabs-key', starts: ['sk_'], rest: /[0-9a-f]{48}[A-Za-z0-9]*/y, sample: hexDigits },
  {
    kind: 'stripe-key',
    starts: ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    rest: token(16),
    sample: letters,
  },
  { kind: 'webhook-secret', starts: ['whsec_'], rest: /[A-Za-z0-9+/]{20}[A-Za-z0-9+/]*={0,2}/y, sample: letters },
  { kind: 'npm-token', starts: ['npm_'], rest: token(36), sample: letters },
  { kind: 'pypi-token', starts: ['pypi-'], rest: token(50, { also: dashed }), sample: `${letters}${letters}` },
  {
    kind: 'sendgrid-key',
    starts: ['SG.'],
    rest: /[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*/y,
    sample: `${letters}.${letters}`,
  },
  { kind: 'langsmith-key', starts: ['lsv2_pt_', 'lsv2_sk_'], rest: token(20, { also: '_' }), sample: hexDigits },
  { kind: 'linear-key', starts: ['lin_api_'], rest: token(32), sample: letters },
  { kind: 'notion-token', starts: ['ntn_'], rest: token(32), sample: letters },
  {
    kind: 'databricks-token',
    starts: ['dapi'],
    rest: /[0-9a-f]{32}[A-Za-z0-9-]*/y,
    sample: hexDigits.slice(0, 32),
  },
  { kind: 'sentry-token', starts: ['sntrys_', 'sntryu_'], rest: token(32, { also: '_=+/' }), sample: letters },
  { kind: 'supabase-key', starts: ['sb_secret_', 'sbp_'], rest: token(20, { also: dashed }), sample: letters },
  { kind: 'pinecone-key', starts: ['pcsk_'], rest: token(32, { also: '_' }), sample: letters },
  {
    kind: 'jwt',
    starts: ['eyJ'],
    rest: /[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]*/y,
    sample: `${letters}.${letters}.${letters}`,
  },
  {
    kind: 'private-key',
    starts: ['-----BEGIN '],
    // Never ends on a backslash: in a JSON text that would swallow the escape of what follows.
    rest: /(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s\\nr]{0,8}(?:Proc-Type|DEK-Info|Version|Comment):[^"\n\\]{0,80}){0,4}[A-Za-z0-9+/=\s\\]{40}[A-Za-z0-9+/=\s\\]*(?<!\\)(?:-----END [A-Z0-9 ]{1,50}-----)?/y,
    sample: `RSA PRIVATE KEY-----\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`,
  },
  {
    kind: 'bearer-token',
    starts: ['Bearer ', 'bearer ', 'BEARER '],
    rest: /(?=[A-Za-z._~+/=-]{0,400}[0-9])[A-Za-z0-9._~+/-]{16}[A-Za-z0-9._~+/-]*={0,2}/y,
    keeps: 'start',
    sample: letters,
  },
  {
    kind: 'basic-credentials',
    starts: ['Authorization: Basic ', 'authorization: Basic ', 'authorization: basic '],
    rest: /[A-Za-z0-9+/]{8}[A-Za-z0-9+/]*={0,2}/y,
    keeps: 'start',
    sample: letters,
  },
]
