import type { ImageType } from '@peyk/contract'

export interface ReadImage {
  type: ImageType
  width: number
  height: number
}

/**
 * What an image is, by its own bytes; undefined for everything that is no whole JPEG, PNG, WebP or GIF. Only headers are
 * read, and every step goes forward: a hostile file costs no more than a look at each of its bytes.
 */
export function readImage(bytes: Buffer): ReadImage | undefined {
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes) ?? readGif(bytes)
  return image && image.width > 0 && image.height > 0 ? image : undefined
}

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')

function readPng(bytes: Buffer): ReadImage | undefined {
  if (!startsWith(bytes, pngStart) || bytes.indexOf('IEND', pngStart.length, 'latin1') < 0) return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff])
const jpegEnd = Buffer.from([0xff, 0xd9])

/** Segment after segment, until the one that begins a frame: it has the size. */
function readJpeg(bytes: Buffer): ReadImage | undefined {
  if (!startsWith(bytes, jpegStart)) return undefined
  let at = 2
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    if (isFrame(marker)) {
      if (bytes.lastIndexOf(jpegEnd) < at) return undefined
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** C4, C8 and CC are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function readWebp(bytes: Buffer): ReadImage | undefined {
  if (bytes.length < 30 || text(bytes, 0, 4) !== 'RIFF' || text(bytes, 8, 12) !== 'WEBP') return undefined
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return undefined
  const size = webpSize(bytes)
  return size && { type: 'image/webp', ...size }
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  const kind = text(bytes, 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L' && bytes[20] === 0x2f) {
    const both = bytes.readUInt32LE(21)
    return { width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 }
  }
  if (kind === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  return undefined
}

function readGif(bytes: Buffer): ReadImage | undefined {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(text(bytes, 0, 6))) return undefined
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start)
}

function text(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to)
}
