/**
 * One broken file of version 1 for each line of F19, and the whole message that it gets. The files stay for ever; each must be
 * refused for ever.
 */
import { expect, test } from 'vitest'
import { defaultCaps } from '../../src/core/cassette/caps.ts'
import { parseCassette } from '../../src/core/cassette/parse-cassette.ts'
import { unfoldCassette } from '../../src/core/cassette/unfold-cassette.ts'
import { formatNames, readFormatBytes } from './format-files.ts'

/** By the name of the file. */
const messages: Readonly<Record<string, string>> = {
  'git-conflict-marker': `Not a valid cassette: cassettes/a.test/books.json:51:1 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 51, column 1
reason      it holds a git conflict marker

Take your side whole:  git checkout --ours -- "cassettes/a.test/books.json"
Or theirs:  git checkout --theirs -- "cassettes/a.test/books.json"`,
  truncated: `Not a valid cassette: cassettes/a.test/books.json:52:19 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 52, column 19
reason      the file ends in the middle: it is truncated

Put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  empty: `Not a valid cassette: cassettes/a.test/books.json:1:1 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 1, column 1
reason      the file is empty

Put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'byte-order-mark': `Not a valid cassette: cassettes/a.test/books.json:1:1 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 1, column 1
reason      it begins with a byte order mark

Save it as UTF-8 without a byte order mark, then see:
  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:
  git checkout -- "cassettes/a.test/books.json"`,
  'not-utf-8': `Not a valid cassette: cassettes/a.test/books.json:2:18 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 2, column 18
reason      the file is not UTF-8

Save it as UTF-8 without a byte order mark, then see:
  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:
  git checkout -- "cassettes/a.test/books.json"`,
  'stray-comma': `Not a valid cassette: cassettes/a.test/books.json:6:61 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 6, column 61
reason      it is no JSON: unexpected }

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'raw-control-character': `Not a valid cassette: cassettes/a.test/books.json:83:31 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 83, column 31
reason      a string holds a raw control character

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'duplicate-name': `Not a valid cassette: cassettes/a.test/books.json:53:7 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 53, column 7
pointer     /interactions/1/number
reason      the name "number" stands twice in one object

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'duplicate-name-in-free-json': `Not a valid cassette: cassettes/a.test/books.json:83:36 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 83, column 36
pointer     /interactions/2/request/input/city
reason      the name "city" stands twice in one object

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'number-that-no-double-holds': `Not a valid cassette: cassettes/a.test/books.json:83:48 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 83, column 48
pointer     /interactions/2/request/input/days/1
reason      the number has more digits than a double holds

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'wrong-type': `Not a valid cassette: cassettes/a.test/books.json:27:19 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 27, column 19
pointer     /interactions/0/response/status
reason      it must be a whole number from 200 to 999, found "200"

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'unknown-member': `Not a valid cassette: cassettes/a.test/books.json:80:16 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 80, column 16
pointer     /interactions/2/price
reason      unknown member "price"

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'missing-member': `Not a valid cassette: cassettes/a.test/books.json:81:18 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 81, column 18
pointer     /interactions/2/request
reason      the member "name" is missing

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'no-such-date': `Not a valid cassette: cassettes/a.test/books.json:5:17 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 5, column 17
pointer     /recordedAt
reason      there is no such date

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'unknown-required-feature': `The cassette is newer than this turntape: cassettes/a.test/books.json [TURNTAPE_CASSETTE_TOO_NEW]

cassette     cassettes/a.test/books.json
pointer      /requires
its format   turntape/1
it requires  "shared-values"
supported    turntape/1 without that

Install the release that wrote it, or a later one:  npm install --save-dev turntape@latest`,
  'required-features-of-a-wrong-type': `Not a valid cassette: cassettes/a.test/books.json:3:15 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 3, column 15
pointer     /requires
reason      it must not be empty

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'newer-version': `The cassette is newer than this turntape: cassettes/a.test/books.json [TURNTAPE_CASSETTE_TOO_NEW]

cassette     cassettes/a.test/books.json
pointer      /format
its format   turntape/7
supported    up to turntape/1

Install the release that wrote it, or a later one:  npm install --save-dev turntape@latest`,
  'version-that-was-never-released': `Not a valid cassette: cassettes/a.test/books.json:2:13 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 2, column 13
pointer     /format
reason      its format turntape/0 was never released, the first that was is turntape/1`,
  'file-of-another-tool': `Not a valid cassette: cassettes/a.test/books.json:1:1 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 1, column 1
pointer     the document itself
reason      this is no cassette: its "format" must be "turntape/1"`,
  'no-object': `Not a valid cassette: cassettes/a.test/books.json:1:1 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 1, column 1
pointer     the document itself
reason      this is no cassette: its "format" must be "turntape/1"`,
  'prototype-key': `Not a valid cassette: cassettes/a.test/books.json:83:33 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 83, column 33
pointer     /interactions/2/request/input/__proto__
reason      the name "__proto__" is not allowed

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'prototype-key-with-an-escape': `Not a valid cassette: cassettes/a.test/books.json:83:38 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 83, column 38
pointer     /interactions/2/request/input/__proto__
reason      the name "__proto__" is not allowed

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'prototype-key-in-a-map-of-the-format': `Not a valid cassette: cassettes/a.test/books.json:6:36 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 6, column 36
pointer     /recordedWith/constructor
reason      the name "constructor" is not allowed

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'prototype-key-in-a-pointer': `Not a valid cassette: cassettes/a.test/books.json:59:17 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 59, column 17
pointer     /interactions/1/request/edits/0/at
reason      the name "__proto__" is not allowed

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'header-name-in-capitals': `Not a valid cassette: cassettes/a.test/books.json:29:12 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 29, column 12
pointer     /interactions/0/response/headers/0/0
reason      it must be a header name in lower case, found "Content-Type"

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'nested-too-deeply': `Not a valid cassette: cassettes/a.test/books.json:83:299 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 83, column 299
pointer     /interactions/2/request/input/days/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0…0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0
reason      it is nested more than 256 levels deep

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'too-many-causes': `Not a valid cassette: cassettes/a.test/books.json:85:81 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 85, column 81
pointer     /interactions/2/result/error/cause
reason      it has a chain of more than 32 causes

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'interaction-numbers': `Not a valid cassette: cassettes/a.test/books.json:52:17 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 52, column 17
pointer     /interactions/1/number
reason      it must be 2: interactions are numbered in order

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'overlaps-with-a-later-one': `Not a valid cassette: cassettes/a.test/books.json:54:20 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 54, column 20
pointer     /interactions/1/overlaps/0
reason      it must name earlier interactions, each once, in order

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'cuts-that-do-not-add-up': `Not a valid cassette: cassettes/a.test/books.json:45:31 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 45, column 31
pointer     /interactions/0/response/body/cuts/events
reason      it adds up to 10, the body has 9 events

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'gaps-that-are-not-one-a-chunk': `Not a valid cassette: cassettes/a.test/books.json:46:21 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 46, column 21
pointer     /interactions/0/response/body/gapsMs
reason      it must have one gap a chunk, 2

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'column-without-a-hole': `Not a valid cassette: cassettes/a.test/books.json:38:31 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 38, column 31
pointer     /interactions/0/response/body/events/0/columns/~1data~1type
reason      the pattern has no … there

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'column-of-another-length': `Not a valid cassette: cassettes/a.test/books.json:38:31 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 38, column 31
pointer     /interactions/0/response/body/events/0/columns/~1data~1text
reason      it has 8 values, the run has 9 events

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'response-beside-a-failure': `Not a valid cassette: cassettes/a.test/books.json:51:5 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 51, column 5
pointer     /interactions/1
reason      it must have either a response or a failure

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'reference-to-itself': `Not a valid cassette: cassettes/a.test/books.json:57:17 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 57, column 17
pointer     /interactions/1/request/like
reason      it must be the number of an earlier HTTP interaction

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'reference-to-nothing': `Not a valid cassette: cassettes/a.test/books.json:58:34 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 58, column 34
pointer     /interactions/1/request/same/~1messages~13
reason      there is no value at the place it names

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'reference-to-what-comes-later': `Not a valid cassette: cassettes/a.test/books.json:58:34 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 58, column 34
pointer     /interactions/1/request/same/~1messages~13
reason      it must name a place that stands before it

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'reference-to-shared-values': `Not a valid cassette: cassettes/a.test/books.json:58:34 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 58, column 34
pointer     /interactions/1/request/same/~1messages~13
reason      values shared by many cassettes are not supported by this version

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'edit-of-what-is-not-there': `Not a valid cassette: cassettes/a.test/books.json [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
pointer     /interactions/1/request/edits/0
reason      there is nothing at /input to change so

To see all that is wrong with it:  npx turntape check "cassettes/a.test/books.json"`,
  'path-that-leaves-the-folder': `Not a valid cassette: cassettes/a.test/books.json:70:19 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 70, column 19
pointer     /interactions/1/response/body/file
reason      it must be a side file name, <SHA-256>.<extension>, found another string

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
  'side-file-of-another-hash': `Not a valid cassette: cassettes/a.test/books.json:70:19 [TURNTAPE_CASSETTE_INVALID]

cassette    cassettes/a.test/books.json
place       line 70, column 19
pointer     /interactions/1/response/body/file
reason      it must begin with the SHA-256

Mend it there, then see:  npx turntape check "cassettes/a.test/books.json"
Or put back what was committed:  git checkout -- "cassettes/a.test/books.json"`,
}

test('F19 each broken file has a message, and each message a file', () => {
  expect(formatNames('v1/broken')).toEqual(
    Object.keys(messages)
      .map((name) => `${name}.json`)
      .sort(),
  )
})

test.each(Object.entries(messages))('CU-08 CU-26 TH-10 AS-03 F19 refuses: %s', (name, message) => {
  let refusal: unknown
  try {
    const bytes = readFormatBytes(`v1/broken/${name}.json`)
    unfoldCassette(parseCassette(bytes, { cassette: 'cassettes/a.test/books.json', caps: defaultCaps }))
  } catch (error) {
    refusal = error
  }
  expect((refusal as Error | undefined)?.message).toBe(message)
})
