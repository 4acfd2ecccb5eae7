/**
 * A backup is a line of plain text, then, compressed, a row of frames, then another line. A frame is a letter for its
 * kind, the length of what follows in four bytes, and that.
 *
 *   H header ─▶ (T table ─▶ D rows, in as many frames as it takes ─▶ E their number and checksum) for each table ─▶ Z sums
 */
export type FrameKind = 'H' | 'T' | 'D' | 'E' | 'Z'

export interface Frame {
  kind: FrameKind
  body: Buffer
}

/** The number is the version of the format. */
export const firstLine = 'Peyk backup 1\n'
/** A file without it was cut off. */
export const lastLine = '\nend of the backup\n'

const headBytes = 5
const kinds = 'HTDEZ'
/** Rows are cut into frames of at most so many bytes. */
export const longestRows = 1024 * 1024
const longestBody = 16 * 1024 * 1024

export function* writeFrame(kind: FrameKind, body: Buffer): Generator<Buffer> {
  const head = Buffer.alloc(headBytes)
  head.write(kind, 0, 'latin1')
  head.writeUInt32BE(body.length, 1)
  yield head
  yield body
}

export function writeJsonFrame(kind: FrameKind, body: object): Generator<Buffer> {
  return writeFrame(kind, Buffer.from(JSON.stringify(body)))
}

/** Rows of any length as frames that a reader can hold. */
export function* writeRows(rows: Buffer): Generator<Buffer> {
  for (let from = 0; from < rows.length; from += longestRows)
    yield* writeFrame('D', rows.subarray(from, from + longestRows))
}

/** Throws when they are no frames; what is left over at the end, too. */
export async function* readFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let pieces: Buffer[] = []
  let length = 0
  let neededBytes = headBytes
  for await (const chunk of chunks) {
    pieces.push(chunk)
    length += chunk.length
    // Concatenate a long frame only once, when it is complete.
    if (length < neededBytes) continue
    const bytes = Buffer.concat(pieces)
    let at = 0
    neededBytes = headBytes
    while (bytes.length - at >= headBytes) {
      const kind = String.fromCharCode(bytes[at] as number)
      const bodyBytes = bytes.readUInt32BE(at + 1)
      if (!kinds.includes(kind) || bodyBytes > longestBody) throw new Error('its content is not a backup')
      neededBytes = headBytes + bodyBytes
      if (bytes.length - at < neededBytes) break
      yield { kind: kind as FrameKind, body: bytes.subarray(at + headBytes, at + neededBytes) }
      at += neededBytes
      neededBytes = headBytes
    }
    pieces = [bytes.subarray(at)]
    length = bytes.length - at
  }
  if (length > 0) throw new Error('it ends too early')
}
