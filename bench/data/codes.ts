import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const linesPerChunk = 10_000

/** A CSV of so many different codes such as SALE-0F3A9C7E1B2D, in no order. */
export async function writeCodes(file: string, count: number): Promise<void> {
  await pipeline(Readable.from(chunks(count)), createWriteStream(file))
}

function* chunks(count: number): Iterable<string> {
  const seen = new Set<string>()
  while (seen.size < count) {
    let chunk = ''
    for (let line = 0; line < linesPerChunk && seen.size < count; line++) {
      const code = `SALE-${randomBytes(6).toString('hex').toUpperCase()}`
      if (seen.has(code)) continue
      seen.add(code)
      chunk += `${code}\n`
    }
    yield chunk
  }
}
