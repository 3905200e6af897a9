import { hostname, userInfo } from 'node:os'
import { collectScanFacts, type ScanFacts } from '../redaction/scan-facts.ts'

/** What this machine knows and a cassette must not hold. */
export function machineFacts(env: NodeJS.ProcessEnv): ScanFacts {
  return collectScanFacts({ env, userName: userName(), hostName: hostname() })
}

function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // Containers with odd ids know no user: then there is no name to look for.
    return undefined
  }
}
