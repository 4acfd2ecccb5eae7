import type { Answer } from '../http/answer.ts'
import { header, type Request } from '../http/request.ts'
import { readObject } from '../json.ts'
import type { Provider, ReadPush } from '../provider.ts'
import type { PushRecord } from '../record.ts'
import { type KnownToken, newId, type Tokens } from '../tokens.ts'
import { decryptPush } from './decrypt.ts'
import { createVapidCheck } from './vapid.ts'

export interface WebPushOptions {
  tokens: Tokens
  origin: string
  record: PushRecord
  now: () => number
}

const maxBodyBytes = 4096
const pushPath = '/push/'
const urgencies = ['very-low', 'low', 'normal', 'high']
const topicForm = /^[A-Za-z0-9_-]{1,32}$/
const ttlForm = /^\d{1,10}$/

/** A push service of a browser [RFC 8030] that can read what it is given, as it keeps the browsers' keys. */
export function createWebPush({ tokens, origin, record, now }: WebPushOptions): Provider {
  const checkVapid = createVapidCheck(origin, now)

  return {
    name: 'webpush',
    read(request) {
      if (!request.path.startsWith(pushPath)) return { kind: 'other', answer: refuse(404, 'There is nothing here') }
      if (request.method !== 'POST') return { kind: 'other', answer: refuse(405, 'Only POST is taken here') }
      return readPush(request)
    },
    answerFault: ({ status = 429, reason }) =>
      status < 300 ? { status } : refuse(status, reason ?? 'Asked for by a rule of the simulator'),
  }

  function readPush(request: Request): ReadPush {
    const known = tokens.read('webpush', request.path)
    const problem = findProblem(request, known)
    const payload = problem ? undefined : readPayload(request.body, known as KnownToken)
    const refusal = problem ?? (payload === undefined ? refuse(400, 'The body cannot be decrypted') : undefined)
    const location = `${origin}/message/${newId()}`
    const ttlSeconds = Number(header(request, 'ttl'))
    const messageId = (payload as { messageId?: unknown } | undefined)?.messageId
    return {
      kind: 'push',
      token: origin + request.path,
      tokenId: known?.id,
      messageId: typeof messageId === 'string' ? messageId : undefined,
      payload,
      pushId: location,
      expiresAt: ttlSeconds > 0 ? now() + ttlSeconds * 1000 : null,
      collapseKey: header(request, 'topic'),
      isValidateOnly: false,
      answer: refusal ?? { status: 201, headers: { location, ttl: String(ttlSeconds) } },
      isAccepted: refusal === undefined,
    }
  }

  function findProblem(request: Request, known: KnownToken | undefined): Answer | undefined {
    if (!known) return refuse(404, 'There is no such subscription')
    const vapid = checkVapid(header(request, 'authorization'), known.vapidKeyHash)
    if (vapid) return refuse(vapid.status, vapid.reason)
    if (tokens.deadSince('webpush', known.id) !== undefined) return refuse(410, 'The subscription has ended')
    return findHeaderProblem(request)
  }

  /** Undefined when it cannot be decrypted. JSON is read; anything else is text; a push without a body is null. */
  function readPayload(body: Buffer, known: KnownToken): unknown {
    if (body.length === 0 || record.mode === 'none') return null
    const text = decryptPush(body, tokens.subscriptionKeys(known.id))?.toString()
    return text === undefined ? undefined : (readObject(text) ?? text)
  }
}

function findHeaderProblem(request: Request): Answer | undefined {
  const ttl = header(request, 'ttl')
  if (ttl === undefined || !ttlForm.test(ttl)) return refuse(400, 'A TTL header in seconds is required')
  const topic = header(request, 'topic')
  if (topic !== undefined && !topicForm.test(topic)) {
    return refuse(400, 'A Topic has at most 32 characters of the URL-safe base64 alphabet')
  }
  const urgency = header(request, 'urgency')
  if (urgency !== undefined && !urgencies.includes(urgency))
    return refuse(400, `Urgency is one of ${urgencies.join(', ')}`)
  if (request.body.length > maxBodyBytes) return refuse(413, `A push has at most ${maxBodyBytes} bytes`)
  if (request.body.length > 0 && header(request, 'content-encoding') !== 'aes128gcm') {
    return refuse(415, 'The Content-Encoding of a push is aes128gcm')
  }
  return undefined
}

function refuse(status: number, reason: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: reason, reason }
}
