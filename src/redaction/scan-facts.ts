import { isSecretVariable } from './secret-names.ts'

/** What this machine knows and a cassette must not hold. It refuses a write; it never changes what is hashed (F15). */
export interface ScanFacts {
  /** Values of secret-looking environment variables; `name` is safe to print. Longest first. */
  readonly secretValues: readonly { readonly name: string; readonly value: string }[]
  readonly userNames: readonly string[]
  readonly hostNames: readonly string[]
}

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userName: string | undefined
  readonly hostName: string | undefined
}

/** Pure: the caller reads environment, user and host. */
export function collectScanFacts({ env, userName, hostName }: Surroundings): ScanFacts {
  const byValue = new Map<string, string>()
  for (const [name, given] of Object.entries(env)) {
    const value = given?.trim() ?? ''
    const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i.exec(value)?.[1]
    const secrets = [isSecretVariable(name) ? value : undefined, password]
    for (const secret of secrets) {
      if (secret !== undefined && isTelling(secret) && !byValue.has(secret)) byValue.set(secret, name)
    }
  }
  const secretValues = [...byValue].map(([value, name]) => ({ name, value }))
  const [label = ''] = hostName?.split('.') ?? []
  const hosts = hostName === undefined || isCommon(label) ? [] : [hostName, label]
  return {
    secretValues: secretValues.sort((a, b) => b.value.length - a.value.length),
    userNames: distinctNames(userName === undefined ? [] : [userName]),
    hostNames: distinctNames(hosts),
  }
}

const minSecretLength = 8
const shortDigits = /^[\d.,:-]{1,11}$/
const path = /^(?:[A-Za-z]:[\\/]|[/~.])/
const madeUp = /^(?:test|fake|dummy|mock|example|sample|your|my|some|placeholder|change|insert|todo)(?:[-_ .]|me|$)/i
const plainWord = /^[A-Za-z]{1,10}$/

/** Long enough and unlike an ordinary word, so that finding it means something. */
function isTelling(value: string): boolean {
  if (value.length < minSecretLength || value === 'turntape-placeholder') return false
  if (shortDigits.test(value) || path.test(value) || madeUp.test(value) || plainWord.test(value)) return false
  return new Set(value).size > 2
}

const minNameLength = 4

/** Names of accounts and machines that say nothing about anyone, and words that any prompt may hold. */
const commonNames = new Set(
  `admin administrator agent alpine ansible anthropic assistant auto azureuser bitnami build builder buildkitd centos chat
  circleci claude client cloud code coder codespace codespaces computer container content core cursor data debian default
  demo deploy deployer desktop dev developer devcontainer docker docker-desktop ec2-user fedora function gitlab
  gitlab-runner gitpod google guest home host input java jenkins kali imac laptop linux local localhost mac-mini macbook macbook-air macbook-pro machine macmini master
  message messages model mysql name nginx node nodejs nobody none null object openai operator output owner penguin
  postgres project python raspberrypi redacted redis remote render root ruby runner runneradmin sandbox server service
  system temp test tester text tool tools travis true type ubuntu undefined unknown user username vagrant vercel vscode
  windows work worker workspace`.split(/\s+/),
)

function isCommon(name: string): boolean {
  return commonNames.has(name.toLowerCase())
}

/** As they are, and in small letters: systems that do not tell them apart write either. */
function distinctNames(names: readonly string[]): string[] {
  const spellings = names.flatMap((name) => [name, name.toLowerCase()])
  return [...new Set(spellings)].filter((name) => name.length >= minNameLength && !isCommon(name))
}
