import { randomUUID } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import { header, type Request } from '../http/request.ts'
import { readObject } from '../json.ts'
import { type ProviderKeys, publicKeyOf } from '../keys.ts'
import type { Provider, ReadPush } from '../provider.ts'
import type { Tokens } from '../tokens.ts'
import { findPushProblem } from './check-push.ts'
import { apnsError, apnsFault } from './error.ts'
import { createProviderTokenCheck } from './provider-tokens.ts'

export interface ApnsOptions {
  keys: ProviderKeys
  tokens: Tokens
  now: () => number
  renewalSeconds: number
}

const devicePath = '/3/device/'
/** What APNs holds for a device without an `apns-expiration`. */
const keptMs = 30 * 24 * 3600 * 1000

/** Apple's HTTP/2 API. */
export function createApns({ keys, tokens, now, renewalSeconds }: ApnsOptions): Provider {
  const { teamId, keyId, bundleId, privateKey } = keys.apns
  const checkToken = createProviderTokenCheck({
    teamId,
    keyId,
    publicKey: publicKeyOf(privateKey),
    renewalSeconds,
    now,
  })

  return {
    name: 'apns',
    read(request) {
      const apnsId = apnsIdOf(request)
      if (!request.path.startsWith(devicePath)) return { kind: 'other', answer: apnsError('BadPath', apnsId) }
      if (request.method !== 'POST') return { kind: 'other', answer: apnsError('MethodNotAllowed', apnsId) }
      return readPush(request, apnsId)
    },
    answerFault: (rule, request) => apnsFault(rule, apnsIdOf(request), now()),
  }

  function readPush(request: Request, apnsId: string): ReadPush {
    const token = request.path.slice(devicePath.length)
    const payload = readObject(request.body.toString())
    const known = tokens.read('apns', token)
    const refusal = findRefusal(request, apnsId, payload, token, known?.id)
    const messageId = payload?.messageId
    return {
      kind: 'push',
      token,
      tokenId: known?.id,
      messageId: typeof messageId === 'string' ? messageId : undefined,
      payload: payload ?? request.body.toString(),
      pushId: apnsId,
      expiresAt: expiresAt(header(request, 'apns-expiration')),
      collapseKey: header(request, 'apns-collapse-id'),
      isValidateOnly: false,
      answer: refusal ?? { status: 200, headers: { 'apns-id': apnsId } },
      isAccepted: refusal === undefined,
    }
  }

  function findRefusal(
    request: Request,
    apnsId: string,
    payload: unknown,
    token: string,
    id: string | undefined,
  ): Answer | undefined {
    const reason = checkToken(header(request, 'authorization')) ?? findPushProblem(request, payload, bundleId)
    if (reason) return apnsError(reason, apnsId)
    if (token === '') return apnsError('MissingDeviceToken', apnsId)
    if (id === undefined) return apnsError('BadDeviceToken', apnsId)
    const timestamp = tokens.deadSince('apns', id)
    return timestamp === undefined ? undefined : apnsError('Unregistered', apnsId, { timestamp })
  }

  function expiresAt(expiration: string | undefined): number | null {
    if (expiration === undefined) return now() + keptMs
    return Number(expiration) === 0 ? null : Number(expiration) * 1000
  }
}

function apnsIdOf(request: Request): string {
  return header(request, 'apns-id') ?? randomUUID().toUpperCase()
}
