import { randomBytes } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import { header, type Request } from '../http/request.ts'
import { type ProviderKeys, publicKeyOf } from '../keys.ts'
import type { Provider, ReadPush } from '../provider.ts'
import type { KnownToken, Tokens } from '../tokens.ts'
import { AccessTokens } from './access-tokens.ts'
import { checkMessage, type FcmMessage } from './check-message.ts'
import { fcmError, fcmFault, invalidArgument, notFound, unauthenticated } from './error.ts'
import { answerTokenRequest, oauthFault } from './oauth.ts'

export interface FcmOptions {
  keys: ProviderKeys
  tokens: Tokens
  ports: { fcm: number; fcmTls: number }
  now: () => number
  accessTokenSeconds: number
}

const json = { 'content-type': 'application/json; charset=UTF-8' }

/** FCM's HTTP v1 API and the OAuth endpoint that belongs to it. */
export function createFcm({ keys, tokens, ports, now, accessTokenSeconds }: FcmOptions) {
  const { projectId, clientEmail, privateKeyId, privateKey } = keys.fcm
  const access = new AccessTokens(Buffer.from(keys.secret, 'base64url'), accessTokenSeconds, now)
  const publicKey = publicKeyOf(privateKey)
  const sendPath = `/v1/projects/${projectId}/messages:send`
  const audiences = ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [
    `https://${host}:${ports.fcmTls}/token`,
    `http://${host}:${ports.fcm}/token`,
  ])
  const series = randomBytes(8).toString('hex')
  let messageNo = 0
  const oauth = { clientEmail, privateKeyId, publicKey, audiences, now, issue: () => access.issue() }

  const provider: Provider = {
    name: 'fcm',
    read(request) {
      if (request.method !== 'POST') return { kind: 'other', answer: notFound() }
      if (request.path === '/token') {
        return { kind: 'other', answer: answerTokenRequest(request.body, oauth), faultTarget: 'oauth' }
      }
      const isOurs = request.path === sendPath
      if (!isOurs && !/^\/v1\/projects\/[^/]+\/messages:send$/.test(request.path)) {
        return { kind: 'other', answer: notFound() }
      }
      return readPush(request, isOurs)
    },
    answerFault: (rule, request) => (request.path === '/token' ? oauthFault(rule) : fcmFault(rule)),
  }

  function readPush(request: Request, isOurProject: boolean): ReadPush {
    const { read, problem } = checkMessage(request.body)
    const known = tokens.read('fcm', read.token)
    const name = `projects/${projectId}/messages/${read.isValidateOnly ? 'fake_message_id' : `0:${++messageNo}%${series}`}`
    const refusal = findRefusal()
    return {
      kind: 'push',
      token: read.token,
      tokenId: known?.id,
      messageId: read.messageId,
      payload: read.message,
      pushId: name,
      expiresAt: read.ttlSeconds > 0 ? now() + read.ttlSeconds * 1000 : null,
      collapseKey: read.collapseKey,
      isValidateOnly: read.isValidateOnly,
      answer: refusal ?? { status: 200, headers: json, body: `{"name":"${name}"}` },
      isAccepted: refusal === undefined,
    }

    function findRefusal(): Answer | undefined {
      if (!access.isValid(header(request, 'authorization'))) return unauthenticated()
      if (!isOurProject) return fcmError('PERMISSION_DENIED')
      return problem ? invalidArgument(problem) : refuseToken(read, known)
    }
  }

  function refuseToken({ token }: FcmMessage, known: KnownToken | undefined): Answer | undefined {
    if (known) return tokens.deadSince('fcm', known.id) === undefined ? undefined : fcmError('UNREGISTERED')
    if (tokens.isFcmForm(token)) return fcmError('SENDER_ID_MISMATCH')
    const description = 'The registration token is not a valid FCM registration token'
    return invalidArgument({ field: 'message.token', description })
  }

  return { provider, expireAccessTokens: () => access.expireAll() }
}
