import type { Readable } from 'node:stream'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { CodeLines } from './code-lines.ts'

const blockBytes = 32 * 1024

/** The file's codes as blocks of whole lines, checked; counts its rows in `lines`. Throws once the file cannot be taken. */
export async function* readCodes(file: Readable, lines: CodeLines): AsyncGenerator<Buffer> {
  for await (const block of inBlocks(file)) {
    const codes = lines.push(block)
    checkRows(lines)
    if (lines.isHopeless) throw badLines(lines)
    if (codes.length > 0) yield codes
  }
  const last = lines.end()
  checkRows(lines)
  if (lines.isRefused) throw badLines(lines)
  if (lines.rows === 0) {
    const what = lines.leftOut > 0 ? 'No line of the file is a code' : 'The file is empty'
    throw new RequestError('invalid-file', `${what}: expected one code per line.`, { details: { isEmpty: true } })
  }
  if (last.length > 0) yield last
}

/** Small pieces are put together, so that a client which sends byte by byte costs no more than another. */
async function* inBlocks(file: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  let total = 0
  for await (const chunk of file) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
    total += piece.length
    if (total > limits.promoFileBytes) {
      throw new RequestError(
        'too-large',
        `The file is larger than the ${limits.promoFileBytes} bytes that are allowed.`,
      )
    }
    waiting.push(piece)
    length += piece.length
    if (length < blockBytes) continue
    yield waiting.length === 1 ? piece : Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}

function checkRows(lines: CodeLines): void {
  if (lines.rows <= limits.promoRows) return
  throw new RequestError('too-large', `The file has more than the ${limits.promoRows} rows that are allowed.`)
}

function badLines(lines: CodeLines): RequestError {
  const numbers = lines.badLines
  const where = numbers.length === 1 ? `Line ${numbers[0]} is not a code` : `Lines ${numbers.join(', ')} are not codes`
  const expected = 'expected one code per line, of 1 to 64 letters A-Z, digits and hyphens'
  return new RequestError('invalid-file', `${where}: ${expected}.`, { details: { lines: numbers } })
}
