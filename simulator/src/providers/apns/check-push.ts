import { header, type Request } from '../http/request.ts'
import { isObject } from '../json.ts'

const maxPayloadBytes = 4096
const maxCollapseIdBytes = 64
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const wholeNumber = /^\d{1,15}$/

/** Apple's reason against the headers or the body, or undefined. */
export function findPushProblem(request: Request, payload: unknown, bundleId: string): string | undefined {
  return findHeaderProblem(request, bundleId) ?? findBodyProblem(request.body, payload)
}

function findHeaderProblem(request: Request, bundleId: string): string | undefined {
  const id = header(request, 'apns-id')
  if (id !== undefined && !uuidForm.test(id)) return 'BadMessageId'
  const topic = header(request, 'apns-topic')
  if (topic === undefined) return 'MissingTopic'
  if (topic !== bundleId) return 'DeviceTokenNotForTopic'
  const type = header(request, 'apns-push-type')
  if (type !== 'alert' && type !== 'background') return 'InvalidPushType'
  const priority = header(request, 'apns-priority') ?? '10'
  if (priority !== '5' && (priority !== '10' || type === 'background')) return 'BadPriority'
  const expiration = header(request, 'apns-expiration')
  if (expiration !== undefined && !wholeNumber.test(expiration)) return 'BadExpirationDate'
  const collapseId = header(request, 'apns-collapse-id')
  if (collapseId !== undefined && Buffer.byteLength(collapseId) > maxCollapseIdBytes) return 'BadCollapseId'
  return undefined
}

function findBodyProblem(body: Buffer, payload: unknown): string | undefined {
  if (body.length === 0) return 'PayloadEmpty'
  if (body.length > maxPayloadBytes) return 'PayloadTooLarge'
  return isObject(payload) && isObject(payload.aps) ? undefined : 'PayloadEmpty'
}
