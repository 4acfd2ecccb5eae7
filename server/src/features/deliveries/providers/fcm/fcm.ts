import { realTime } from '#base/clock.ts'
import { openPool } from '#base/http-client/open-pool.ts'
import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { FcmCredentials } from '#features/accounts/credential-formats/fcm.ts'
import type { Outcome, Provider, Push } from '../../provider.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { requestUntilSent } from '../request-until-sent.ts'
import { openGoogleTokens } from './google-tokens.ts'
import { readFcmAnswer } from './read-fcm-answer.ts'

const maxConnections = 10
const checkedToken = 'peyk-checks-its-credentials'

export function openFcm(credentials: FcmCredentials, options: ProviderOptions): Provider {
  const { endpoints, now } = options
  const path = `/v1/projects/${encodeURIComponent(credentials.projectId)}/messages:send`
  const pool = openPool({
    origin: endpoints.fcm,
    maxConnections,
    ...(endpoints.ca !== undefined && { ca: endpoints.ca }),
  })
  const tokens = openGoogleTokens(credentials, options)

  async function post(body: string, isWanted?: Push['isWanted']): Promise<Outcome> {
    const known = tokens.get()
    let access = known instanceof Promise ? await known : known
    if (access.kind !== 'access') return access
    const request = { method: 'POST', path, body, isWanted } as const
    let answer = await requestUntilSent(pool, { ...request, headers: access.headers })
    if (isRefusedAccess(answer)) {
      access = await tokens.renew(access)
      if (access.kind !== 'access') return access
      answer = await requestUntilSent(pool, { ...request, headers: access.headers })
    }
    return readFcmAnswer(answer, realTime(now))
  }

  return {
    name: 'fcm',
    send({ token, payload, isWanted }) {
      if (payload.provider !== 'fcm')
        return Promise.resolve({ kind: 'refused', detail: `a payload for ${payload.provider} came to FCM` })
      return post(`{"message":{"token":${JSON.stringify(token)},${payload.fields}}}`, isWanted)
    },
    checkToken: (token) => post(`{"validate_only":true,"message":{"token":${JSON.stringify(token)}}}`),
    async checkCredentials() {
      const outcome = await post(`{"validate_only":true,"message":{"token":"${checkedToken}"}}`)
      // Google asks who may send before it looks at the token: to be told that the token is wrong proves the rest.
      if (outcome.kind === 'gone' || outcome.kind === 'refused') return { kind: 'accepted' }
      return outcome
    },
    async close() {
      await Promise.all([pool.close(), tokens.close()])
    },
  }
}

function isRefusedAccess(answer: PoolAnswer): boolean {
  return answer.kind === 'answer' && answer.status === 401 && !answer.body.includes('THIRD_PARTY_AUTH_ERROR')
}
