/**
 * Credential variables that SDK clients insist on when they are built. Where one is unset a placeholder stands in, so
 * that replay needs no key; a live request that would carry the placeholder is stopped.
 */
import type { CapturedRequest } from '../../core/capture/captured-request.ts'
import { hasOtherAwsCredentials } from './aws-credentials.ts'

export const credentialPlaceholder = 'turntape-placeholder'

interface Credential {
  readonly variables: readonly string[]
  /** Hosts that take this credential. */
  readonly hosts: RegExp
  /** A header that only this kind of API uses, where the host does not tell. */
  readonly header?: string
  /** True: the SDK may find this credential elsewhere, so that nothing is filled in. */
  readonly elsewhere?: (env: Readonly<Record<string, string | undefined>>) => boolean
}

// Several names of one credential: the first is filled, and only where all are unset, since SDKs warn of two.
const credentials: readonly Credential[] = [
  { variables: ['OPENAI_API_KEY'], hosts: /(^|\.)openai\.com$/ },
  { variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'], hosts: /(^|\.)anthropic\.com$/, header: 'x-api-key' },
  { variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], hosts: /(^|\.)googleapis\.com$/, header: 'x-goog-api-key' },
  { variables: ['GOOGLE_GENERATIVE_AI_API_KEY'], hosts: /(^|\.)generativelanguage\.googleapis\.com$/ },
  { variables: ['MISTRAL_API_KEY'], hosts: /(^|\.)mistral\.ai$/ },
  { variables: ['GROQ_API_KEY'], hosts: /(^|\.)groq\.com$/ },
  { variables: ['CO_API_KEY', 'COHERE_API_KEY'], hosts: /(^|\.)cohere\.(?:com|ai)$/ },
  { variables: ['XAI_API_KEY'], hosts: /(^|\.)x\.ai$/ },
  { variables: ['DEEPSEEK_API_KEY'], hosts: /(^|\.)deepseek\.com$/ },
  { variables: ['OPENROUTER_API_KEY'], hosts: /(^|\.)openrouter\.ai$/ },
  { variables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'], hosts: /(^|\.)azure\.com$/, header: 'api-key' },
  // Both, or the SDK asks the metadata service of the machine.
  { variables: ['AWS_ACCESS_KEY_ID'], hosts: /(^|\.)amazonaws\.com$/, elsewhere: hasOtherAwsCredentials },
  { variables: ['AWS_SECRET_ACCESS_KEY'], hosts: /(^|\.)amazonaws\.com$/, elsewhere: hasOtherAwsCredentials },
]

/** Fills what is unset (or empty) in `env` and returns the names it filled. Idempotent. */
export function fillCredentials(env: Record<string, string | undefined>): readonly string[] {
  const filled: string[] = []
  for (const { variables, elsewhere } of credentials) {
    const [first = ''] = variables
    if (variables.some((name) => env[name]) || elsewhere?.(env)) continue
    env[first] = credentialPlaceholder
    filled.push(first)
  }
  return filled
}

/** The variable whose placeholder this request carries, for the message; undefined when it carries none. */
export function placeholderCredential(request: CapturedRequest): string | undefined {
  const header = request.headers.find(([, value]) => value.includes(credentialPlaceholder))
  if (header === undefined && !request.url.includes(credentialPlaceholder)) return undefined
  const { hostname } = new URL(request.url)
  const named =
    credentials.find(({ hosts }) => hosts.test(hostname)) ??
    credentials.find((credential) => credential.header !== undefined && credential.header === header?.[0])
  return named?.variables[0] ?? 'The API key of this client (for example OPENAI_API_KEY)'
}
