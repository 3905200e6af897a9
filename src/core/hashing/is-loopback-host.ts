/**
 * True for this machine itself: `localhost`, names under it, 127.0.0.0/8 and ::1, also as an IPv4-mapped address, and
 * the unspecified addresses, which reach this machine as a target.
 * Takes a host without a port, in any case, an IPv6 one with or without brackets.
 */
export function isLoopbackHost(host: string): boolean {
  if (!mayBeLoopback.test(host)) return false
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (unmapped.has(name)) return true
  // The URL parser writes ::ffff:127.0.0.1 as ::ffff:7f00:1.
  const address = name.replace(/^::ffff:(?=\d+\.)/, '')
  return /^127(?:\.\d{1,3}){3}$/.test(address) || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name)
}

/** Of each of them; most hosts are told by it alone. */
const mayBeLoopback = /^(?:[[:0]|127)|localhost/i

const unmapped = new Set(['::1', '0:0:0:0:0:0:0:1', '0.0.0.0', '::'])
