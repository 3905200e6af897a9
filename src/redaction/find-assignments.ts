import { isSecretMember, isSecretVariable, kindOfName } from './secret-names.ts'
import type { SecretSpan } from './span.ts'

/** `DB_PASSWORD=…`, `x-api-key: …`, `password = '…'`: a name, a sign, and one run of letters that keys are made of. */
const assignment =
  /(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_.-]{1,60})(?: {0,3}= {0,3}|: {0,3})(?:\\{0,3}["'`])?([A-Za-z0-9_~@!$%^*+/.-]{8}[A-Za-z0-9_~@!$%^*+/.-]*={0,2})/g

/** Secrets that a text sets by a name that leaves no doubt: what `env`, a `.env` file or a command line shows. */
export function findAssignments(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  assignment.lastIndex = 0
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const [whole, written = '', value = ''] = match
    const name = text[match.index - 1] === '\\' ? withoutEscape(written) : written
    const end = match.index + whole.length
    if (isSecretName(name) && isTelling(value)) {
      spans.push({ start: end - value.length, end, kind: kindOfName(name), secret: value })
    } else {
      // The value may set something itself: `filename=DB_PASSWORD=…`.
      assignment.lastIndex = match.index + written.length + 1
    }
  }
  return spans
}

/** In JSON the letter of `\n` stands before the name. */
function withoutEscape(written: string): string {
  return written.replace(/^(?:u[0-9a-fA-F]{4}|[bfnrt])/, '')
}

function isSecretName(name: string): boolean {
  return isSecretMember(name) || (/^[A-Z][A-Z0-9_]*$/.test(name) && isSecretVariable(name))
}

/** No word of a sentence, no name of a variable, no path: it has a digit and a letter, and is no code. */
function isTelling(value: string): boolean {
  return (
    /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !/^(?:\$|[./~])|^(?:process|os|env|config|self|this)\./.test(value)
  )
}
