import type { IncomingMessage } from 'node:http'

/** Allowed for any body. Beyond them, chunks must average `bytesPerChunk`. */
const freeChunks = 4_096
const bytesPerChunk = 64
/** Smaller chunks are copied, because each would keep its entire socket buffer alive. */
const copiedBelow = 4_096

/**
 * Calls back once if a body arrives in more chunks than any client needs: a chunk of one byte costs as much time and
 * memory as one of several kilobytes. Node passes every chunk to `push`, whatever reads the body later.
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
