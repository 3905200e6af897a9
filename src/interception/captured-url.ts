/** Where a call goes, without credentials and fragment; undefined for what is no HTTP URL. */
export function capturedUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  url.username = ''
  url.password = ''
  url.hash = ''
  return url.href
}
