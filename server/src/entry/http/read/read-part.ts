import type { IncomingMessage } from 'node:http'
import type { Multipart } from '@fastify/multipart'

class UnfinishedBody extends Error {}

/** When all bytes are there, the parser needs no more than a moment. */
const afterEndMs = 1_000

/**
 * The next part of a multipart body. Where a body ends within the headers of a part, the parser tells neither of a part
 * nor of an end, and whoever asks would wait for ever: that fails.
 */
export async function readPart(
  parts: AsyncIterator<Multipart>,
  raw: IncomingMessage,
): Promise<IteratorResult<Multipart, unknown>> {
  const unfinished = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const onEnd = () => {
    timer = setTimeout(() => unfinished.reject(new UnfinishedBody()), afterEndMs)
  }
  if (raw.readableEnded) onEnd()
  else raw.once('end', onEnd)
  const next = parts.next()
  // It may fail later, when nobody waits for it any more.
  next.catch(() => undefined)
  try {
    return await Promise.race([next, unfinished.promise])
  } finally {
    clearTimeout(timer)
    raw.off('end', onEnd)
  }
}
