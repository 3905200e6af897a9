/** The servers have a name that is not loopback, so that calls to them are treated as calls to the world are. */
import dns from 'node:dns'

const lookup = dns.lookup
dns.lookup = (host, ...rest) => lookup(host.endsWith('.test') ? '127.0.0.1' : host, ...rest)
