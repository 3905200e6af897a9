/** The ways in which a secret can stand in a text and be read out of it by anyone. Knows nothing of how the scan reads. */
export function spellingsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const xml = secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const url = encodeURIComponent(secret)
  const spellings = [secret, json, JSON.stringify(json).slice(1, -1), xml, url, url.replaceAll('%20', '+')]
  return [...new Set([...spellings, ...base64Of(secret), Buffer.from(secret).toString('hex')])]
}

/** What of its base64 does not depend on what stands around it, for each of the three places that it can have in it. */
function base64Of(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${'x'.repeat(before)}${secret}`)
      .toString('base64')
      .replace(/=+$/, '')
    return encoded.slice(before === 0 ? 0 : before + 1, -1)
  })
}
