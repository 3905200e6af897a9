import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { credentialPlaceholder, fillCredentials, placeholderCredential } from '../../src/session/calls/credentials.ts'

function request(url: string, headers: readonly (readonly [string, string])[]) {
  return { method: 'POST', url, headers, body: undefined, road: 'fetch' as const }
}

describe('credential variables', () => {
  test('are filled where unset or empty, and only then', () => {
    const env: Record<string, string | undefined> = {
      OPENAI_API_KEY: 'mine',
      ANTHROPIC_API_KEY: '',
      GOOGLE_API_KEY: 'mine too',
    }
    const filled = fillCredentials(env)
    expect(filled).toContain('ANTHROPIC_API_KEY')
    expect(filled).not.toContain('GEMINI_API_KEY')
    expect(env).toMatchObject({
      OPENAI_API_KEY: 'mine',
      ANTHROPIC_API_KEY: credentialPlaceholder,
      GOOGLE_API_KEY: 'mine too',
    })
    expect(env).not.toHaveProperty('GEMINI_API_KEY')
    expect(fillCredentials(env)).toEqual([])
  })

  test('of AWS are filled where nothing says that its SDK finds some elsewhere', () => {
    const home = process.env.HOME
    process.env.HOME = mkdtempSync(join(tmpdir(), 'home-'))
    onTestFinished(() => {
      rmSync(process.env.HOME as string, { recursive: true })
      process.env.HOME = home
    })
    const aws = (env: Record<string, string>) => fillCredentials(env).filter((name) => name.startsWith('AWS_'))
    expect(aws({})).toEqual(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
    expect(aws({ AWS_ACCESS_KEY_ID: 'mine', AWS_SECRET_ACCESS_KEY: 'mine' })).toEqual([])
    expect(aws({ AWS_PROFILE: 'work' })).toEqual([])
    expect(aws({ AWS_BEARER_TOKEN_BEDROCK: 'token' })).toEqual([])
    mkdirSync(join(process.env.HOME, '.aws'))
    writeFileSync(join(process.env.HOME, '.aws', 'credentials'), '[default]')
    expect(aws({})).toEqual([])
  })

  test('of AWS are known in a signature', () => {
    const signed = `AWS4-HMAC-SHA256 Credential=${credentialPlaceholder}/20251130/us-east-1/bedrock/aws4_request, Signature=a`
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse'
    expect(placeholderCredential(request(url, [['authorization', signed]]))).toBe('AWS_ACCESS_KEY_ID')
  })

  test.for([
    ['https://api.openai.com/v1/responses', 'authorization', 'OPENAI_API_KEY'],
    ['https://api.anthropic.com/v1/messages', 'x-api-key', 'ANTHROPIC_API_KEY'],
    ['http://127.0.0.1:8080/v1/messages', 'x-api-key', 'ANTHROPIC_API_KEY'],
    ['https://generativelanguage.googleapis.com/v1beta/models/m:generateContent', 'x-goog-api-key', 'GEMINI_API_KEY'],
    ['https://api.groq.com/openai/v1/chat/completions', 'authorization', 'GROQ_API_KEY'],
  ] as const)('%s with a placeholder in %s names %s', ([url, header, variable]) => {
    expect(placeholderCredential(request(url, [[header, `Bearer ${credentialPlaceholder}`]]))).toBe(variable)
  })

  test('a placeholder in the query counts, a real key does not', () => {
    const url = 'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent?key='
    expect(placeholderCredential(request(`${url}${credentialPlaceholder}`, []))).toBe('GEMINI_API_KEY')
    expect(placeholderCredential(request(`${url}real`, [['x-goog-api-key', 'real']]))).toBeUndefined()
  })

  test('a host nobody knows still gets an answer', () => {
    const sent = request('http://127.0.0.1:1234/v1/chat/completions', [
      ['authorization', `Bearer ${credentialPlaceholder}`],
    ])
    expect(placeholderCredential(sent)).toContain('OPENAI_API_KEY')
  })
})
