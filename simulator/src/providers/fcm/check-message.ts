import { isObject, readObject } from '../json.ts'
import type { FieldViolation } from './error.ts'
import { findShapeProblem } from './shape.ts'

const maxPayloadBytes = 4096
const maxTtlSeconds = 2_419_200

export interface FcmMessage {
  token: string
  message: Record<string, unknown>
  messageId: string | undefined
  isValidateOnly: boolean
  ttlSeconds: number
  collapseKey: string | undefined
}

/** The request as FCM understands it, and what is wrong with it. */
export function checkMessage(body: Buffer): { read: FcmMessage; problem: FieldViolation | undefined } {
  const request = readObject(body.toString())
  const message = isObject(request?.message) ? request.message : {}
  const android = isObject(message.android) ? message.android : {}
  const data = isObject(message.data) ? message.data : isObject(android.data) ? android.data : {}
  const ttl = android.ttl ?? `${maxTtlSeconds}s`
  const collapseKey = android.collapse_key ?? android.collapseKey
  const read: FcmMessage = {
    token: typeof message.token === 'string' ? message.token : '',
    message,
    messageId: typeof data.messageId === 'string' ? data.messageId : undefined,
    isValidateOnly: (request?.validate_only ?? request?.validateOnly) === true,
    ttlSeconds: typeof ttl === 'string' ? Number.parseFloat(ttl) : Number.NaN,
    collapseKey: typeof collapseKey === 'string' ? collapseKey : undefined,
  }
  return { read, problem: findProblem(request, read, body) }
}

function findProblem(request: object | undefined, read: FcmMessage, body: Buffer): FieldViolation | undefined {
  if (!request) return { field: '', description: 'Invalid JSON payload received. Unexpected token.' }
  const problem = findShapeProblem(request)
  if (problem) return problem
  const { message, ttlSeconds } = read
  const targets = ['token', 'topic', 'condition'].filter((name) => message[name] !== undefined)
  if (targets.length !== 1) {
    return { field: 'message', description: 'Exactly one of token, topic or condition is required' }
  }
  if (message.token === undefined) {
    return { field: 'message', description: 'The simulator sends to tokens only, not to topics or conditions' }
  }
  if (!(ttlSeconds >= 0 && ttlSeconds <= maxTtlSeconds)) {
    return { field: 'message.android.ttl', description: `TTL must be between 0 and ${maxTtlSeconds} seconds` }
  }
  if (body.length > maxPayloadBytes && payloadBytes(message) > maxPayloadBytes) {
    return { field: 'message', description: `Message too big: the payload is limited to ${maxPayloadBytes} bytes` }
  }
  return undefined
}

function payloadBytes(message: Record<string, unknown>): number {
  const { token: _, ...payload } = message
  return Buffer.byteLength(JSON.stringify(payload))
}
