import { realTime } from '#base/clock.ts'
import { openPool } from '#base/http-client/open-pool.ts'
import type { ApnsCredentials } from '#features/accounts/credential-formats/apns.ts'
import type { Payload } from '#features/messages/payloads/payload.ts'
import type { Outcome, Provider, Push } from '../../provider.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { requestUntilSent } from '../request-until-sent.ts'
import { apnsIdOf } from './apns-id.ts'
import { isExpiredProviderToken, readApnsAnswer } from './read-apns-answer.ts'

type ApnsPayload = Extract<Payload, { provider: 'apns' }>

const maxConnections = 10
/** No device has it, and everything else about the request is looked at before it. */
const checkedToken = '0'.repeat(64)
/** Wakes an app that wants it for a moment, and shows nothing. */
const quietPayload: ApnsPayload = {
  provider: 'apns',
  body: '{"aps":{"content-available":1}}',
  pushType: 'background',
  priority: 5,
  collapseId: 'token-check',
}

export function openApns(credentials: ApnsCredentials, { endpoints, now, apnsTokens }: ProviderOptions): Provider {
  const pool = openPool({
    origin: endpoints.apns[credentials.environment],
    maxConnections,
    isCautious: true,
    ...(endpoints.ca !== undefined && { ca: endpoints.ca }),
  })

  async function post(
    token: string,
    tokenChangedAt: Date | null,
    { body, ...payload }: ApnsPayload,
    expiresAt: number,
    sending: { apnsId?: string; isWanted?: Push['isWanted'] } = {},
  ): Promise<Outcome> {
    if (!/^[0-9a-f]{2,400}$/i.test(token))
      return { kind: 'refused', detail: 'not an APNs token: those are hexadecimal' }
    const request = (bearer: string) =>
      requestUntilSent(pool, {
        method: 'POST',
        path: `/3/device/${token}`,
        headers: {
          authorization: `bearer ${bearer}`,
          'content-type': 'application/json',
          'apns-topic': credentials.bundleId,
          'apns-push-type': payload.pushType,
          'apns-priority': String(payload.priority),
          'apns-expiration': String(expiresAt),
          ...(payload.collapseId !== '' && { 'apns-collapse-id': payload.collapseId }),
          ...(sending.apnsId !== undefined && { 'apns-id': sending.apnsId }),
        },
        body,
        isWanted: sending.isWanted,
      })
    let access = await apnsTokens.get(credentials)
    if (access.kind !== 'token') return access
    let answer = await request(access.token)
    if (isExpiredProviderToken(answer)) {
      access = await apnsTokens.renew(credentials, access.token)
      if (access.kind !== 'token') return access
      answer = await request(access.token)
    }
    return readApnsAnswer(answer, realTime(now), tokenChangedAt)
  }

  return {
    name: 'apns',
    async send({ messageId, installationNo, token, tokenChangedAt, payload, expiresAt, isWanted }) {
      if (payload.provider !== 'apns')
        return { kind: 'refused', detail: `a payload for ${payload.provider} came to APNs` }
      const expiresAtSeconds = Math.floor(expiresAt.getTime() / 1_000)
      const apnsId = apnsIdOf(messageId, installationNo)
      return post(token, tokenChangedAt, payload, expiresAtSeconds, { apnsId, isWanted })
    },
    checkToken: (token, tokenChangedAt) => post(token, tokenChangedAt, quietPayload, 0),
    async checkCredentials() {
      const outcome = await post(checkedToken, null, quietPayload, 0)
      // Apple looks at the key, the team and the topic before the token: to be told that the token is bad proves them.
      if (outcome.kind === 'gone') return { kind: 'accepted' }
      if (outcome.kind === 'refused') return { kind: 'paused', detail: explainRefusal(outcome.detail, credentials) }
      return outcome
    },
    close: () => pool.close(),
  }
}

function explainRefusal(detail: string, { bundleId, teamId }: ApnsCredentials): string {
  if (/TopicDisallowed|BadTopic|MissingTopic|DeviceTokenNotForTopic/.test(detail)) {
    return `${detail}: the key of team ${teamId} may not push to the app ${bundleId}; is the bundle id right?`
  }
  return detail
}
