import type { Browser } from 'playwright-core'

/** A picture of the whole window, and how long it is shown. */
export interface Frame {
  png: Buffer
  milliseconds: number
  /** Where the mouse is, which screenshots leave out. */
  mouse?: { x: number; y: number }
}

interface Part {
  x: number
  y: number
  width: number
  height: number
  /** A WebP file of its own, in base64. */
  file: string
}

/** An animated WebP that repeats. The browser compresses the frames: of each, only what differs from the one before. */
export async function encodeAnimation(browser: Browser, frames: readonly Frame[], quality = 0.82): Promise<Buffer> {
  const page = await browser.newPage()
  // Only a page with an address may decode.
  await page.route('**', (route) => route.fulfill({ body: '', contentType: 'text/html' }))
  await page.goto('http://localhost/')
  const chunks: Buffer[] = []
  let size = { width: 0, height: 0 }
  for (const { png, milliseconds, mouse } of frames) {
    const part = await page.evaluate(compressChange, { png: png.toString('base64'), mouse, quality })
    if (chunks.length === 0) size = part
    chunks.push(frameChunk(part, milliseconds))
  }
  const header = Buffer.alloc(10)
  header[0] = 0b10 // animated
  header.writeUIntLE(size.width - 1, 4, 3)
  header.writeUIntLE(size.height - 1, 7, 3)
  const background = Buffer.alloc(6, 0)
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', header), chunk('ANIM', background), ...chunks])
  const file = chunk('RIFF', body)
  const decoded = await page.evaluate(countFrames, file.toString('base64'))
  if (decoded !== frames.length) throw new Error(`${frames.length} frames were written, ${decoded} can be read`)
  return file
}

function frameChunk({ x, y, width, height, file }: Part, milliseconds: number): Buffer {
  const head = Buffer.alloc(16)
  for (const [index, value] of [x / 2, y / 2, width - 1, height - 1, milliseconds].entries())
    head.writeUIntLE(value, index * 3, 3)
  head[15] = 0b10 // replaces what is there
  return chunk('ANMF', Buffer.concat([head, imageChunk(Buffer.from(file, 'base64'))]))
}

/** The image without what else a file has, such as a profile of its colours. */
function imageChunk(file: Buffer): Buffer {
  for (let at = 12; at < file.length; ) {
    const end = at + 8 + file.readUInt32LE(at + 4)
    if (/^VP8[ L]$/.test(file.toString('latin1', at, at + 4))) return file.subarray(at, end + (end % 2))
    at = end + (end % 2)
  }
  throw new Error('the browser made a WebP without an image')
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

/** In the page, which keeps the frame before. */
async function compressChange({
  png,
  mouse,
  quality,
}: {
  png: string
  mouse: { x: number; y: number } | undefined
  quality: number
}): Promise<Part> {
  const kept = window as { frameBefore?: ImageData }
  const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
  const { width, height } = picture
  const canvas = new OffscreenCanvas(width, height)
  const draw = canvas.getContext('2d', { alpha: false }) as OffscreenCanvasRenderingContext2D
  draw.drawImage(picture, 0, 0)
  if (mouse) {
    draw.translate(mouse.x, mouse.y)
    const arrow = new Path2D('M0 0V17L4 13.4 6.8 19.6 9.4 18.4 6.7 12.4H12Z')
    draw.fillStyle = '#111'
    draw.fill(arrow)
    draw.strokeStyle = '#fff'
    draw.stroke(arrow)
  }
  const now = draw.getImageData(0, 0, width, height)
  const before = kept.frameBefore
  kept.frameBefore = now
  let [left, top, right, bottom] = before ? [width, height, 0, 0] : [0, 0, width, height]
  if (before) {
    const pixels = new Uint32Array(now.data.buffer)
    const old = new Uint32Array(before.data.buffer)
    for (let index = 0; index < pixels.length; index++) {
      if (pixels[index] === old[index]) continue
      const x = index % width
      const y = (index - x) / width
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
  }
  // Frames begin at even places, and have at least a pixel.
  left = Math.min(left - (left % 2), width - 2)
  top = Math.min(top - (top % 2), height - 2)
  const part = new OffscreenCanvas(Math.max(1, right - left), Math.max(1, bottom - top))
  part.getContext('2d', { alpha: false })?.putImageData(now, -left, -top)
  const file = new Uint8Array(await (await part.convertToBlob({ type: 'image/webp', quality })).arrayBuffer())
  let text = ''
  for (const byte of file) text += String.fromCharCode(byte)
  return { x: left, y: top, width: part.width, height: part.height, file: btoa(text) }
}

/** In the page. */
async function countFrames(base64: string): Promise<number | undefined> {
  const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const { tracks, completed } = new ImageDecoder({ data, type: 'image/webp' })
  await Promise.all([tracks.ready, completed])
  return tracks.selectedTrack?.frameCount
}
