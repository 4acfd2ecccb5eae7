import { connect } from 'node:net'
import type { GivenAnswer } from './judge-answer.ts'
import { answerWithinMs } from './send-http.ts'

/** Half a request is not answered. */
const quietMs = 300

/**
 * Writes the bytes one piece after the other, waits for an answer as long as one may come, and hangs up. The answer is
 * undefined when there was none, which is right for half a request. Fails when the service does not let go.
 */
export function sendRaw(port: number, writes: readonly Buffer[]): Promise<GivenAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    const hangUp = setTimeout(() => socket.end(), quietMs)
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error('the service does not close what the client has closed'))
    }, answerWithinMs)
    socket.on('connect', () => {
      for (const bytes of writes) socket.write(bytes)
    })
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      // The rest still comes: only our half is closed.
      if (text.includes('\r\n\r\n')) socket.end()
    })
    // Reset while bytes were on their way is an answer too.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      clearTimeout(hangUp)
      resolve(readFirst(text))
    })
  })
}

function readFirst(text: string): GivenAnswer | undefined {
  const match = /^HTTP\/1\.1 (\d{3}) [^\r]*\r\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(text)
  if (!match) return undefined
  const [, status, head = '', rest = ''] = match
  const headers = Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers['content-length'] ?? Number.NaN)
  const bytes = Buffer.from(rest, 'latin1')
  return { status: Number(status), headers, text: bytes.subarray(0, length || bytes.length).toString() }
}
