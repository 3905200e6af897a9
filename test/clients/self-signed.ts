/** A certificate that nobody signed but its own key, for a server on loopback. Made when asked: no key lies in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto'

/** DER: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content)
  const { length } = bytes
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), bytes])
}

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)
const utcTime = (text: string): Buffer => der(0x17, Buffer.from(text))
const commonNameId = der(0x06, Buffer.from([0x55, 0x04, 0x03]))
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02])))

/** X.509 version 1, RFC 5280 section 4.1, for `localhost`. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(commonNameId, der(0x0c, Buffer.from('localhost')))))
  const certified = sequence(
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', certified, privateKey)
  const certificate = sequence(certified, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n')
  const cert = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}
