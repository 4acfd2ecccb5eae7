import type { ClientHttp2Session } from 'node:http2'
import { createRequire } from 'node:module'
import type { LoopInput } from './loop.ts'
import { measureLoop, readInput } from './loop-process.ts'

/**
 * The peer, as a process: firebase-admin's sendEach with as many messages as it takes at once. It has no setting for
 * where FCM is, so the one call that opens its connection, `http2.connect`, is given another address. It calls the
 * scheme "https:", which Google puts up with and servers built on nghttp2 do not. It gets its access token ready-made.
 */
export interface FirebaseInput extends LoopInput {
  accessToken: string
  projectId: string
  message: object
  /** Calls of sendEach at a time. */
  calls: number
}

interface Admin {
  initializeApp(options: object): object
}
interface Messaging {
  sendEach(messages: object[]): Promise<{ successCount: number; responses: { error?: Error }[] }>
}

const messagesPerCall = 500
const input = readInput<FirebaseInput>()
const { origin, ca, list, message, calls } = input

const require = createRequire(import.meta.url)
const http2 = require('node:http2') as { connect(url: string, options: object): ClientHttp2Session }
const { connect } = http2
http2.connect = (_googles, options) => {
  const session = connect(origin, { ...options, ca })
  const request = session.request.bind(session)
  session.request = (headers, ...rest) => {
    if (headers && ':scheme' in headers) headers[':scheme'] = 'https'
    return request(headers, ...rest)
  }
  return session
}

const { initializeApp } = require('firebase-admin/app') as Admin
const { getMessaging } = require('firebase-admin/messaging') as { getMessaging(app: object): Messaging }
const credential = { getAccessToken: async () => ({ access_token: input.accessToken, expires_in: 3600 }) }
const messaging = getMessaging(initializeApp({ credential, projectId: input.projectId }))
let sent = 0

await measureLoop(input, async (count) => {
  const until = sent + count
  const work = async () => {
    while (sent < until) {
      const some = list.slice(sent % list.length).slice(0, Math.min(messagesPerCall, until - sent))
      sent += some.length
      const { successCount, responses } = await messaging.sendEach(some.map((token) => ({ ...message, token })))
      if (successCount < some.length) throw responses.find(({ error }) => error)?.error
    }
  }
  await Promise.all(Array.from({ length: calls }, work))
})
process.exit(0)
