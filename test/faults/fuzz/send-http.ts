import { Agent, request as ask, type IncomingMessage } from 'node:http'
import type { FuzzedRequest } from './fuzzed-request.ts'
import type { GivenAnswer } from './judge-answer.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 512 })
/** Whatever it was asked: after this it counts as hanging. */
export const answerWithinMs = 60_000
const largeBytes = 60_000

/**
 * Sends it over a connection that is kept. Undefined when the service closed the connection while a large body was
 * still on its way: its answer may be lost then.
 */
export async function sendHttp(baseUrl: string, given: FuzzedRequest): Promise<GivenAnswer | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(baseUrl, given)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ECONNRESET' && code !== 'EPIPE') throw error
      if ((given.body?.length ?? 0) > largeBytes) return undefined
      // A kept connection may be closed by the other side at any moment; a new one may not.
      if (attempt === 3) throw error
    }
  }
}

function sendOnce(baseUrl: string, { method, path, headers, body }: FuzzedRequest): Promise<GivenAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    // The path as it is: a URL would be tidied up.
    const { hostname, port } = new URL(baseUrl)
    const sent = ask({ hostname, port, path, method, agent, headers: { ...headers, ...length } })
    const timer = setTimeout(
      () => sent.destroy(new Error(`there is no answer after ${answerWithinMs / 1000} s`)),
      answerWithinMs,
    )
    sent.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    sent.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('close', () => {
        clearTimeout(timer)
        const { statusCode: status = 0, headers: given, complete } = response
        if (complete) resolve({ status, headers: given, text: Buffer.concat(chunks).toString() })
        else reject(Object.assign(new Error('the answer was cut off'), { code: 'ECONNRESET' }))
      })
    })
    sent.end(body)
  })
}
