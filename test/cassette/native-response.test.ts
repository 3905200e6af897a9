import { afterEach, expect, test, vi } from 'vitest'
import { nativeResponse } from '../../src/core/cassette/native-response.ts'
import { encodeRequestBody } from '../../src/core/cassette/request-body.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('F6 the parts of a multipart body are read with the Response there was first, whatever stands in its place', async () => {
  const native = nativeResponse()
  vi.stubGlobal('Response', class {})
  const body = new TextEncoder().encode('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\none\r\n--b--\r\n')
  const stored = await encodeRequestBody(body, 'multipart/form-data; boundary=b')
  expect(nativeResponse()).toBe(native)
  expect(stored).toEqual({ parts: [{ name: 'a', text: 'one' }] })
})
