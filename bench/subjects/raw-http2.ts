import { type ClientHttp2Session, connect } from 'node:http2'
import type { LoopInput } from './loop.ts'
import { measureLoop, readInput } from './loop-process.ts'

/**
 * What others use, as a process: Node's own HTTP/2 client, as many connections and requests at a time as the service has, the
 * same request and nothing else. No answer is looked at but its status, nothing is retried, nothing is stored.
 */
export interface RawInput extends LoopInput {
  path: string
  headers: Record<string, string>
  /** The JSON of a message without its token. */
  fields: string
  connections: number
  inFlight: number
}

const input = readInput<RawInput>()
const { origin, ca, path, headers, fields, list, connections, inFlight } = input
const sessions = await Promise.all(Array.from({ length: connections }, openSession))
const { host } = new URL(origin)
const common = [
  ':method',
  'POST',
  ':path',
  path,
  ':scheme',
  'https',
  ':authority',
  host,
  ...Object.entries(headers).flat(),
]
let sent = 0

await measureLoop(input, async (count) => {
  const until = sent + count
  await Promise.all(sessions.map((session) => sendOn(session, until)))
})
for (const session of sessions) session.close()

function openSession(): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(origin, { ca })
    session.once('error', reject)
    session.once('remoteSettings', () => resolve(session))
  })
}

function sendOn(session: ClientHttp2Session, until: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let open = 0
    const next = () => {
      if (sent < until) {
        open++
        sendOne(session, list[sent++ % list.length] as string, done, reject)
      } else if (open === 0) resolve()
    }
    const done = () => {
      open--
      next()
    }
    for (let index = 0; index < inFlight / connections; index++) next()
  })
}

function sendOne(session: ClientHttp2Session, token: string, done: () => void, fail: (error: Error) => void): void {
  const body = `{"message":{"token":${JSON.stringify(token)},${fields}}}`
  const stream = session.request([...common, 'content-length', String(Buffer.byteLength(body))])
  let status = 0
  stream.on('response', (answer) => {
    status = answer[':status'] ?? 0
  })
  stream.on('data', () => {})
  stream.on('error', fail)
  stream.on('close', () => (status === 200 ? done() : fail(new Error(`a push was answered with ${status}`))))
  stream.end(body)
}
