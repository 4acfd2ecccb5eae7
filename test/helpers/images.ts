import { crc32, deflateSync } from 'node:zlib'

const fromBase64 = (text: string) => Buffer.from(text, 'base64')

/** Real files of 40 × 24 pixels, as a browser wrote them. */
export const sampleImages = {
  png: fromBase64(
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAYCAYAAACIhL/AAAAARElEQVR4AezSsQkAIBAEQbHy71yL2OSDEQwXZLx7Zt7me8/y44H1gwgSrAK1t0GCVaD2NkiwCtTeBglWgdrbIMEqUPsPAAD//wwe6qMAAAAGSURBVAMAmrNQCWDgzxcAAAAASUVORK5CYII=',
  ),
  jpeg: fromBase64(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAYACgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAID/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AmApiAAAAAAAAAA//2Q==',
  ),
  lossyWebp: fromBase64(
    'UklGRkIAAABXRUJQVlA4IDYAAAAwAwCdASooABgAP3G202G0ryqmJWgCkC4JZwDQVA8KmggAAP7aJrZO2F+vWlubqAuIsgAAAAA=',
  ),
  losslessWebp: fromBase64('UklGRhwAAABXRUJQVlA4TBAAAAAvJ8AFAAdQwChg/wMR0f8A'),
  extendedWebp: fromBase64('UklGRi4AAABXRUJQVlA4WAoAAAAAAAAAJwAAFwAAVlA4TBAAAAAvJ8AFAAdQwChg/wMR0f8A'),
  gif: fromBase64('R0lGODlhKAAYAIAAAACAgAAAACwAAAAAKAAYAAACHoSPqcvtD6OctNqLs968+w+G4kiW5omm6sq27guXBQA7'),
}

/** A PNG in one shade of grey; another text in it makes it another file. */
export function makePng(width: number, height: number, { grey = 128, text = '' } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width, grey)])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    pngChunk('tEXt', Buffer.from(`Comment\0${text}`, 'latin1')),
    pngChunk('IDAT', deflateSync(Buffer.concat(Array<Buffer>(height).fill(row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
