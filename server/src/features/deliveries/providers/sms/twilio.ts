import { realTime } from '#base/clock.ts'
import { callOnce } from '#base/outbound/call-once.ts'
import type { TwilioCredentials } from '#features/accounts/credential-formats/sms.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { readJsonObject, shorten } from '../read-json.ts'
import { readTwilioAnswer } from './read-twilio-answer.ts'
import type { Sms, SmsProvider } from './sms-outcome.ts'

const timeoutMs = 30_000

export function openTwilio(
  { accountSid, authToken, sender }: TwilioCredentials,
  { endpoints, now }: Pick<ProviderOptions, 'endpoints' | 'now'>,
): SmsProvider {
  const account = `${endpoints.twilio}/2010-04-01/Accounts/${accountSid}`
  const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const way = {
    localOrigins: endpoints.localOrigins,
    timeoutMs,
    ...(endpoints.ca !== undefined && { ca: endpoints.ca }),
  }

  return {
    async send(sms) {
      const answer = await callOnce(`${account}/Messages.json`, {
        ...way,
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        body: writeForm(sms, sender),
      })
      return readTwilioAnswer(answer, realTime(now))
    },
    async checkCredentials() {
      const headers = { authorization, accept: 'application/json' }
      const answer = await callOnce(`${account}.json`, { ...way, method: 'GET', headers })
      const body = answer.kind === 'answer' && answer.status === 200 ? readJsonObject(answer.body) : undefined
      if (body?.sid === accountSid) {
        return body.status === 'active'
          ? { kind: 'accepted' }
          : {
              kind: 'paused',
              detail: `the Twilio account is not active but ${shorten(body.status) || 'in no known state'}`,
            }
      }
      const outcome = readTwilioAnswer(answer, realTime(now))
      // Nothing was to be sent, so nothing is unknown: the question can be asked again.
      return outcome.kind === 'paused' || outcome.kind === 'later'
        ? outcome
        : { kind: 'later', retryAfterMs: 10_000, detail: outcome.detail ?? 'Twilio answered something else' }
    },
  }
}

function writeForm({ to, text }: Sms, sender: TwilioCredentials['sender']): string {
  const form = new URLSearchParams({ To: to.startsWith('+') ? to : `+${to}`, Body: text })
  if ('from' in sender) form.set('From', sender.from)
  else form.set('MessagingServiceSid', sender.messagingServiceSid)
  return form.toString()
}
