import { describe, expect, test } from 'vitest'
import { collectScanFacts } from '../../src/redaction/scan-facts.ts'

const value = 'q7Rw2Xn9Kd4T'

function namesOf(env: Record<string, string | undefined>): string[] {
  return collectScanFacts({ env, userName: undefined, hostName: undefined }).secretValues.map(({ name }) => name)
}

describe('promise 7: what the scan looks for', () => {
  test.each([
    'OPENAI_API_KEY',
    'GITHUB_TOKEN',
    'DB_PASSWORD',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'CLIENT_SECRET',
    'SESSION_COOKIE',
    'PRIVATE_KEY',
    'apiKey',
    'SMTP_PASS',
    'MY_CREDENTIALS',
    'ANTHROPIC_AUTH_TOKEN',
  ])('takes the value of %s', (name) => {
    expect(namesOf({ [name]: value })).toEqual([name])
  })

  test.each([
    'PATH',
    'PWD',
    'HOME',
    'EDITOR',
    'NEXT_PUBLIC_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'SSH_KEY_PATH',
    'TOKEN_FILE',
    'AUTH_URL',
    'SSH_AUTH_SOCK',
    'npm_config_token',
    'GPG_KEY',
    'TOKENIZERS_PARALLELISM',
    'MONKEY',
    'KEYBOARD',
    'COOKIE_DOMAIN',
    'MAX_TOKENS',
    'AUTH_TYPE',
  ])('does not take the value of %s', (name) => {
    expect(namesOf({ [name]: value })).toEqual([])
  })

  test.each([
    '',
    'true',
    'short12',
    '12345678',
    '/run/secrets/key',
    '~/keys/one',
    'C:\\keys\\one',
    'anonymous',
    'turntape-placeholder',
    'test-api-key',
    'your-key-here',
    'changeme',
    'xxxxxxxxxxxx',
    undefined,
  ])('takes no trivial value: %j', (trivial) => {
    expect(namesOf({ API_KEY: trivial })).toEqual([])
  })

  test('takes the password of a URL, whatever the variable is called', () => {
    const facts = collectScanFacts({
      env: { DATABASE_URL: `postgres://shop:${value}@db.test/x` },
      userName: undefined,
      hostName: undefined,
    })
    expect(facts.secretValues).toEqual([{ name: 'DATABASE_URL', value }])
  })

  test('takes each value once, the longest first', () => {
    const env = { A_KEY: value, B_KEY: value, C_TOKEN: `${value}${value}` }
    expect(namesOf(env)).toEqual(['C_TOKEN', 'A_KEY'])
  })

  test('takes user and host names that say something', () => {
    expect(collectScanFacts({ env: {}, userName: 'alice', hostName: 'alices-mac.local' })).toMatchObject({
      userNames: ['alice'],
      hostNames: ['alices-mac.local', 'alices-mac'],
    })
  })

  test.each(['root', 'runner', 'node', 'ubuntu', 'claude', 'Admin', 'bob', 'localhost', 'buildkitd'])(
    'takes no common or short name: %s',
    (name) => {
      expect(collectScanFacts({ env: {}, userName: name, hostName: name })).toEqual({
        secretValues: [],
        userNames: [],
        hostNames: [],
      })
    },
  )
})
