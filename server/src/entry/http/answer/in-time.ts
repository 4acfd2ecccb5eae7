/** Time passes for the reader from one part that is there to the moment when the next one is asked for. */
export async function* inTime(parts: AsyncIterable<Buffer>, transferMs: number, giveUp: () => void) {
  for await (const part of parts) {
    const timer = setTimeout(giveUp, transferMs)
    try {
      yield part
    } finally {
      clearTimeout(timer)
    }
  }
}
