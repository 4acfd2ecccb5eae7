import type { IncomingMessage } from 'node:http'

/** That any body may have. Beyond them, chunks have to hold `bytesPerChunk` on average. */
const freeChunks = 4_096
const bytesPerChunk = 64
/** A smaller chunk is copied, because it would keep the whole buffer of the socket that it came in. */
const copiedBelow = 4_096

/**
 * Calls back, once, when a body arrives in more chunks than any client needs: a chunk of one byte costs as much time and
 * memory as one of some kilobytes. Node hands every chunk to `push`, whatever reads the body afterwards.
 */
export function limitChunks(request: IncomingMessage, onExcess: () => void): void {
  if (request.headers['transfer-encoding'] === undefined) return
  const push = request.push.bind(request)
  let chunks = 0
  let bytes = 0
  request.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null)
    chunks++
    bytes += chunk.length
    if (chunks <= freeChunks + bytes / bytesPerChunk) {
      return push(chunk.length < copiedBelow ? Buffer.from(chunk) : chunk)
    }
    request.push = () => true
    onExcess()
    return true
  }
}
