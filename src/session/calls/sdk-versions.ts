import type { CapturedRequest } from '../../core/capture/captured-request.ts'

// `OpenAI/JS 6.49.0`, `Anthropic/JS 1.14.0`, `google-genai-sdk/2.32.0 gl-node/v20`, `ai/6.0.3 runtime/node.js/20`, `ai-sdk/openai/3.0.1`
const products: readonly (readonly [pattern: RegExp, name: (match: RegExpExecArray) => string])[] = [
  [/^OpenAI\/JS (\d[\w.-]*)/, () => 'openai'],
  [/^Anthropic\/JS (\d[\w.-]*)/, () => '@anthropic-ai/sdk'],
  [/google-genai-sdk\/v?(\d[\w.-]*)/, () => '@google/genai'],
  [/(?:^|\s)ai\/(\d[\w.-]*)/, () => 'ai'],
  [/api\/bedrock-runtime#(\d[\w.-]*)/, () => '@aws-sdk/client-bedrock-runtime'],
  [/ai-sdk\/(?!provider-utils)([a-z][\w-]*)\/(\d[\w.-]*)/, (match) => `@ai-sdk/${match[1]}`],
]

/** True for a header in which SDKs say who they are; in lower case. */
export function namesSdk(header: string): boolean {
  return header === 'user-agent' || header === 'x-goog-api-client'
}

/**
 * The SDKs and their versions that a request names in its user agent, by package name. A provider of the AI SDK does not
 * always name the AI SDK itself (its `streamText` leaves that out), so what is installed is asked with `versionOf`.
 */
export function sdkVersions(
  { headers }: Pick<CapturedRequest, 'headers'>,
  versionOf: (packageName: string) => string | undefined,
): Readonly<Record<string, string>> {
  const agents = headers.filter(([name]) => namesSdk(name))
  const versions: Record<string, string> = {}
  for (const [, agent] of agents) {
    for (const [pattern, name] of products) {
      const match = pattern.exec(agent)
      const version = match?.at(-1)
      if (match !== null && version !== undefined) versions[name(match)] = version
    }
  }
  const isProvider = Object.keys(versions).some((name) => name.startsWith('@ai-sdk/'))
  const installed = isProvider && versions.ai === undefined ? versionOf('ai') : undefined
  return installed === undefined ? versions : { ...versions, ai: installed }
}
