/** Names of places that hold secrets: JSON members, form fields, query keys. Spelling (`api_key`, `apiKey`, `Api-Key`) never counts. */

/** Lower case without separators: how two spellings of a name are compared. */
export function squashName(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]/g, '')
}

/** A name as the kind of a placeholder: `clientSecret` and `CLIENT_SECRET` give `client-secret`. */
export function kindOfName(name: string): string {
  const kebab = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
  return kebab.slice(0, 40).replace(/-+$/, '') || 'value'
}

/** Secret whatever stands before: `openai_api_key`, `x-api-key`, `dbPassword`. */
const memberEndings = [
  'apikey',
  'apisecret',
  'apitoken',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'sessiontoken',
  'clientsecret',
  'secretkey',
  'secretaccesskey',
  'privatekey',
  'privatetoken',
  'deploytoken',
  'subscriptionkey',
  'sharedaccesskey',
  'servicerolekey',
  'consumersecret',
  'appsecret',
  'webhooksecret',
  'password',
  'passwd',
  'passphrase',
]

/** Secret as a whole name only: `token` is what log probabilities call a piece of text, `signature` what thinking carries. */
const memberNames = new Set([
  'authorization',
  'proxyauthorization',
  'xauthtoken',
  'cookie',
  'setcookie',
  'secret',
  'sharedsecret',
  'signingsecret',
  'signingkey',
  'encryptionkey',
  'accountkey',
  'idtoken',
  'bearertoken',
  'csrftoken',
  'xsrftoken',
  'securitytoken',
  'oauthtoken',
  'personalaccesstoken',
  'sessioncookie',
  'connectionstring',
  'clientassertion',
])

const queryNames = new Set([
  'key',
  'token',
  'auth',
  'sig',
  'signature',
  'pwd',
  'secret',
  'idtoken',
  'securitytoken',
  'authorization',
  'awsaccesskeyid',
  'uploadid',
  'clientassertion',
  'codeverifier',
])

/** Signed URLs: every part of the signature changes with it. */
const signedQuery = /^x(?:amz|goog)(?:algorithm|credential|date|expires|signedheaders|signature|securitytoken)$/

/** Unmistakable in any text; the short ones (`key`, `token`) are ordinary words there. */
const ambiguousInText = new Set(['key', 'token', 'auth', 'signature', 'pwd', 'secret', 'authorization', 'uploadid'])

/** True for a JSON member whose string value is a secret. */
export function isSecretMember(name: string): boolean {
  const squashed = squashName(name)
  if (memberNames.has(squashed) || memberEndings.some((ending) => squashed.endsWith(ending))) return true
  return /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(name) && isSecretVariable(name)
}

/** True for a query key or form field whose value is a secret. */
export function isSecretQuery(name: string): boolean {
  const squashed = squashName(name)
  return (
    queryNames.has(squashed) || signedQuery.test(squashed) || memberEndings.some((ending) => squashed.endsWith(ending))
  )
}

/** True for a query key that means a secret even in the middle of a text. */
export function isSecretQueryInText(name: string): boolean {
  return !ambiguousInText.has(squashName(name)) && isSecretQuery(name)
}

const secretWords =
  /^(?:KEYS?|APIKEY|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PAT|CREDENTIALS?|CREDS|AUTH|AUTHTOKEN|COOKIES?|PRIVATE|JWT)$/
const harmlessWords =
  /^(?:PUBLIC|PUBLISHABLE|PATH|FILE|DIR|DIRECTORY|FOLDER|SOCK|SOCKET|PID|TYPE|MODE|METHOD|LIMIT|MAX|MIN|NAME|HOST|PORT|TTL|TIMEOUT|REGION|ENABLED|DISABLED|EXPIRY|EXPIRES|LAYOUT|KEYRING|URL|URI|ENDPOINT|SERVER|COUNT|LENGTH|SIZE|VERSION|DOMAIN|REALM|ISSUER|AUDIENCE|PROVIDER|SCOPES?|STRATEGY|ALGORITHM|PREFIX|HEADER)$/
const harmlessVariables = /^(?:PWD|OLDPWD|INIT_CWD|GPG_KEY|SSH_AUTH_SOCK|SSH_AGENT_PID|XAUTHORITY|npm_.*)$/i

/** True for an environment variable whose value looks like a secret by the variable's name alone. */
export function isSecretVariable(name: string): boolean {
  if (harmlessVariables.test(name)) return false
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
  return words.some((word) => secretWords.test(word)) && !words.some((word) => harmlessWords.test(word))
}
