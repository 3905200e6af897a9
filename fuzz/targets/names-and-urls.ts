/** Any name of a test and any URL: a path stays in its folder, a URL has one canonical form, a text can be printed. */
import { cassettePath } from '../../src/core/cassette/cassette-path.ts'
import { canonicalUrl } from '../../src/core/hashing/canonical-url.ts'
import { elide, elideMiddle } from '../../src/errors/elide.ts'
import { printable, printableAscii } from '../../src/errors/printable.ts'
import { placeOf } from '../../src/store/store-path.ts'
import { wireOfPath } from '../../src/wire/choose-wire.ts'
import { hold } from '../fuzz-target.ts'

export function checkNamesAndUrls(input: Uint8Array): void {
  const text = new TextDecoder().decode(input).slice(0, 4000)
  // No file system has a NUL in a name.
  const [testFile = '', ...names] = text.replaceAll('\u0000', '').split('\n')
  const path = cassettePath({ testFile, names: names.length === 0 ? [testFile] : names, index: 1 })
  hold(path.length <= 200, `a path of ${path.length} units`)
  hold(placeOf('/project', path).startsWith('/project/cassettes/'), `a path that leaves its folder: ${path}`)
  hold(
    path === printable(path) || path.includes('\u200c') === testFile.includes('\u200c'),
    'a path that cannot be seen',
  )
  for (const url of [text, `https://a.test/${text}`, `http://localhost:80/?${text}`]) {
    wireOfPath(url)
    const once = canonicalUrl(url)
    // Others are never asked for over a network.
    if (!/^https?:/i.test(once)) continue
    hold(canonicalUrl(once) === once, `a URL whose canonical form has another: ${once}`)
  }
  for (const shown of [elide(text, 80), elideMiddle(text, 80), printable(text), printableAscii(text)]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    hold(!/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(shown), 'a terminal would act on it')
  }
}
