import type { CapturedRequest } from '../core/capture/captured-request.ts'

// `OpenAI/JS 6.49.0`, `Anthropic/JS 1.14.0`, `google-genai-sdk/2.32.0 gl-node/v20`, `ai/6.0.3 ai-sdk/openai/3.0.1 runtime/node.js/20`
const products: readonly (readonly [pattern: RegExp, name: (match: RegExpExecArray) => string])[] = [
  [/^OpenAI\/JS (\d[\w.-]*)/, () => 'openai'],
  [/^Anthropic\/JS (\d[\w.-]*)/, () => '@anthropic-ai/sdk'],
  [/google-genai-sdk\/v?(\d[\w.-]*)/, () => '@google/genai'],
  [/(?:^|\s)ai\/(\d[\w.-]*)/, () => 'ai'],
  [/ai-sdk\/([a-z][\w-]*)\/(\d[\w.-]*)/, (match) => `@ai-sdk/${match[1]}`],
]

/** The SDKs and their versions that a request names in its user agent, by package name. */
export function sdkVersions(request: CapturedRequest): Readonly<Record<string, string>> {
  const agents = request.headers.filter(([name]) => name === 'user-agent' || name === 'x-goog-api-client')
  const versions: Record<string, string> = {}
  for (const [, agent] of agents) {
    for (const [pattern, name] of products) {
      const match = pattern.exec(agent)
      const version = match?.at(-1)
      if (match !== null && version !== undefined) versions[name(match)] = version
    }
  }
  return versions
}
