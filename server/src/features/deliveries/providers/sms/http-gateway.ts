import { realTime } from '#base/clock.ts'
import { callOnce } from '#base/outbound/call-once.ts'
import { checkOutbound } from '#base/outbound/check-outbound.ts'
import { faultInWords } from '#base/outbound/describe-fault.ts'
import { contentTypes, type HttpGatewayCredentials } from '#features/accounts/credential-formats/http-gateway.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { fillBody, fillUrl } from './fill-template.ts'
import { readGatewayAnswer } from './read-gateway-answer.ts'
import type { SmsProvider } from './sms-outcome.ts'

const timeoutMs = 30_000
const unresolvedWaitMs = 30_000

export function openHttpGateway(
  { method, url, headers, contentType, body, success }: HttpGatewayCredentials,
  { endpoints, now }: Pick<ProviderOptions, 'endpoints' | 'now'>,
): SmsProvider {
  const { localOrigins, ca } = endpoints

  /** The host is the same whatever is filled in: the reader of the credentials saw to it. */
  const findHost = () => checkOutbound(new URL(url).origin, { localOrigins, isAnyPortAllowed: true })

  return {
    async send(sms) {
      const host = await findHost()
      if ('refused' in host) {
        return host.isTemporary
          ? { kind: 'later', retryAfterMs: unresolvedWaitMs, detail: host.refused }
          : { kind: 'paused', detail: `the SMS gateway may not be called: ${host.refused}` }
      }
      const answer = await callOnce(fillUrl(url, sms), {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-type': contentTypes[contentType] },
        ...(body !== undefined && { body: fillBody(body, contentType, sms) }),
        address: host.address,
        localOrigins,
        timeoutMs,
        ...(ca !== undefined && { ca }),
      })
      return readGatewayAnswer(answer, success, realTime(now))
    },
    async checkCredentials() {
      const host = await findHost()
      if ('refused' in host) {
        return host.isTemporary || faultInWords(host.refused) !== undefined
          ? { kind: 'later', retryAfterMs: unresolvedWaitMs, detail: host.refused }
          : { kind: 'paused', detail: `the SMS gateway may not be called: ${host.refused}` }
      }
      return {
        kind: 'accepted',
        isUnasked: true,
        detail: 'the gateway was not asked: only a real SMS would show whether it takes the credentials',
      }
    },
  }
}
