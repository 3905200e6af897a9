/** What the scan looks for, in words, and the line of code that takes it out where it was found. */
import type { PlacedText } from './scan-texts.ts'

export type ScanRule =
  | { readonly kind: 'value'; readonly variable: string }
  | { readonly kind: 'user name' }
  | { readonly kind: 'host name' }
  | { readonly kind: 'shape'; readonly shape: string }
  /** The user's own. */
  | { readonly kind: 'pattern'; readonly name: string }
  /** Known by the name that it stands under. */
  | { readonly kind: 'named'; readonly name: string }

export function ruleText(rule: ScanRule): string {
  switch (rule.kind) {
    case 'value':
      return `the value of ${rule.variable}`
    case 'user name':
    case 'host name':
      return `the ${rule.kind}`
    case 'shape':
      return `the shape of a secret (${rule.shape})`
    case 'pattern':
      return `what the pattern "${rule.name}" of redact matches`
    case 'named':
      return `a secret by its name (${rule.name})`
  }
}

/** A line that can be pasted into the options, or what to do where none helps. */
export function remedyOf(rule: ScanRule, { pointer = '', name }: PlacedText): string {
  if (pointer === '/test') return 'Rename the test: its name is stored in the cassette'
  if (/^\/interactions\/\d+\/(?:lane|request\/name)$/.test(pointer))
    return 'Rename it: this name is stored in the cassette'
  switch (rule.kind) {
    case 'value':
      return `redact: { values: { ${quotedName(rule.variable)}: ${variableCode(rule.variable)} } }`
    case 'user name':
      return "redact: { values: { 'user-name': userInfo().username } }, userInfo from 'node:os'"
    case 'host name':
      return "redact: { values: { 'host-name': hostname() } }, hostname from 'node:os'"
    case 'shape':
    case 'pattern':
    case 'named':
      return name !== undefined && isTelling(name) && inJson.test(pointer)
        ? `redact: { keys: ['${name}'] }`
        : 'beforeRecord: (interaction) => interaction // return it edited, or undefined to drop it'
  }
}

const inJson =
  /^\/interactions\/\d+\/(?:request\/(?:body\/json|input)|response\/body\/(?:json|events)|result\/(?:value|elements))\//

/** A name that can stand in a line of code as it is, and whose value is not the text of the conversation. */
function isTelling(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,40}$/.test(name) && !textMembers.has(name)
}

const textMembers = new Set(['arguments', 'content', 'delta', 'input', 'output', 'partial_json', 'text', 'thinking'])

function quotedName(variable: string): string {
  return `'${
    variable
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '')
      .slice(0, 40) || 'value'
  }'`
}

function variableCode(variable: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(variable) ? `process.env.${variable}` : `process.env[${JSON.stringify(variable)}]`
}
