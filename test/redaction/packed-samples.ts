/** Files that hold a text packed, as small as their readers take them. */
import { deflateRawSync, deflateSync } from 'node:zlib'

/** One entry as every zip has it, without the directory at the end, which no reader here asks for. */
export function zipOf(content: string | Buffer, name = 'notes.txt'): Buffer {
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), deflateRawSync(content), Buffer.from('PK\u0001\u0002\u0014')])
}

/** As its readers take it; the page's letters are written as bytes of Latin-1. */
export function pdfOf(content: string, lineEnd = '\n'): Buffer {
  const packed = deflateSync(Buffer.from(content, 'latin1'))
  const head = `%PDF-1.7${lineEnd}%\xff\xff${lineEnd}4 0 obj << /Filter /FlateDecode /Length ${packed.length} >>${lineEnd}stream${lineEnd}`
  return Buffer.concat([Buffer.from(head, 'latin1'), packed, Buffer.from(`${lineEnd}endstream endobj`)])
}
