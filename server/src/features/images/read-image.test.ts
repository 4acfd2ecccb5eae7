import { makePng, sampleImages } from '@peyk/test/images.ts'
import { describe, expect, it } from 'vitest'
import { readImage } from './read-image.ts'

const { png, jpeg, lossyWebp, losslessWebp, extendedWebp, gif } = sampleImages
const size = { width: 40, height: 24 }
const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('an image', () => {
  it.each([
    ['PNG', png, 'image/png'],
    ['JPEG', jpeg, 'image/jpeg'],
    ['lossy WebP', lossyWebp, 'image/webp'],
    ['lossless WebP', losslessWebp, 'image/webp'],
    ['extended WebP', extendedWebp, 'image/webp'],
    ['GIF', gif, 'image/gif'],
  ])('is read from its bytes: %s', (_name, bytes, type) => {
    expect(readImage(bytes)).toEqual({ type, ...size })
  })

  it('has the size that its header says', () => {
    expect(readImage(makePng(1200, 600))).toEqual({ type: 'image/png', width: 1200, height: 600 })
    const wide = Buffer.from(extendedWebp)
    wide.writeUIntLE(16_383, 24, 3)
    expect(readImage(wide)).toMatchObject({ width: 16_384, height: 24 })
  })

  it('may have bytes between the segments of a JPEG, and a progressive frame', () => {
    const filled = Buffer.concat([jpeg.subarray(0, 2), latin1('\xff\xff'), jpeg.subarray(2)])
    expect(readImage(filled)).toMatchObject(size)
    const progressive = Buffer.from(jpeg)
    progressive[jpeg.indexOf(latin1('\xff\xc0')) + 1] = 0xc2
    expect(readImage(progressive)).toMatchObject(size)
  })

  it.each([
    ['PNG', png],
    ['JPEG', jpeg],
    ['WebP', lossyWebp],
    ['WebP', losslessWebp],
  ])('that was cut off anywhere is none: %s', (_name, bytes) => {
    // What stands behind the name of a PNG's last part is its sum.
    for (let end = 0; end < bytes.length - 8; end++) expect(readImage(bytes.subarray(0, end))).toBeUndefined()
  })

  it('is none when its header is cut off: GIF', () => {
    for (let end = 0; end < 14; end++) expect(readImage(gif.subarray(0, end))).toBeUndefined()
  })
})

describe('no image', () => {
  const zero = Buffer.from(gif)
  zero.writeUInt16LE(0, 6)
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="24"><script>1</script></svg>')],
    ['SVG behind a declaration', Buffer.from('\ufeff<?xml version="1.0"?><svg/>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['HTML that names a format', Buffer.from('GIF89<script>alert(1)</script>')],
    ['BMP', Buffer.concat([latin1('BM'), Buffer.alloc(100)])],
    ['AVIF', Buffer.concat([latin1('\0\0\0\x20ftypavif'), Buffer.alloc(100)])],
    ['ICO', Buffer.concat([latin1('\0\0\x01\0\x01\0'), Buffer.alloc(100)])],
    ['a sound in RIFF', Buffer.concat([latin1('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(100)])],
    ['an image behind other bytes', Buffer.concat([latin1('\n'), png])],
    ['PNG whose first part is another', Buffer.from(png.toString('latin1').replace('IHDR', 'iTXt'), 'latin1')],
    ['GIF without a width', zero],
    ['JPEG of empty segments', Buffer.concat([latin1('\xff\xd8'), Buffer.alloc(900_000, '\xff\xe0\0\0', 'latin1')])],
    ['JPEG of filling', Buffer.concat([latin1('\xff\xd8'), Buffer.alloc(900_000, 0xff)])],
    ['JPEG with a segment beyond its end', Buffer.concat([latin1('\xff\xd8\xff\xe1\xff\xff'), Buffer.alloc(100)])],
    ['WebP of an unknown kind', Buffer.from(lossyWebp.toString('latin1').replace('VP8 ', 'VP9 '), 'latin1')],
  ])('is %s', (_name, bytes) => {
    expect(readImage(bytes)).toBeUndefined()
  })
})
