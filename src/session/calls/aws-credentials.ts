import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the AWS SDK looks before and beside its key variables: a token, a profile, a role of the machine it runs on. */
const otherSources = [
  'AWS_BEARER_TOKEN_BEDROCK',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_CONFIG_FILE',
]

/** True where the AWS SDK may find credentials elsewhere than in its key variables, which would win over them. */
export function hasOtherAwsCredentials(env: Readonly<Record<string, string | undefined>>): boolean {
  if (otherSources.some((name) => env[name])) return true
  return ['credentials', 'config'].some((name) => existsSync(join(homedir(), '.aws', name)))
}
