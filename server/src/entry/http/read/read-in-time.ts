import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'

/**
 * What a client sends, as long as it sends fast enough: so many bytes within the time that is spent waiting for them.
 * While the service itself is busy with what has come, no time passes for the client.
 */
export async function* readInTime(content: AsyncIterable<Buffer>, transferMs: number): AsyncGenerator<Buffer> {
  const reading = content[Symbol.asyncIterator]()
  let bytes = 0
  let waitedMs = 0
  try {
    for (;;) {
      const askedAt = performance.now()
      const { value, done } = await within(reading.next(), transferMs - waitedMs, transferMs)
      if (done) return
      waitedMs += performance.now() - askedAt
      bytes += value.length
      if (bytes >= limits.transferBytes) bytes = waitedMs = 0
      yield value
    }
  } finally {
    // Not awaited: it may wait for the client that is too slow.
    void reading.return?.()?.then(undefined, () => undefined)
  }
}

/** What a client lets us wait for, unless that takes too long. */
export async function within<T>(work: Promise<T>, leftMs: number, transferMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow(transferMs)), Math.max(0, leftMs))
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function tooSlow(transferMs: number): RequestError {
  const kib = limits.transferBytes / 1024
  return new RequestError(
    'request-timeout',
    `The file came too slowly: at least ${kib} KiB are expected in every ${transferMs / 1000} s. Nothing was stored.`,
  )
}
