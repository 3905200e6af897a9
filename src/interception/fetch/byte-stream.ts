import type { ReadableByteStreamController } from 'node:stream/web'

/** Closes a byte stream; a BYOB read that waits must be answered for itself (streams standard, `respond(0)`). */
export function closeByteStream(controller: ReadableByteStreamController): void {
  controller.close()
  controller.byobRequest?.respond(0)
}
