import type { PoolAnswer } from '#base/http-client/pool.ts'
import { quotaWaitMs } from '../outcomes.ts'
import { readJsonObject, shorten } from '../read-json.ts'
import { readWait } from '../read-retry-after.ts'
import type { SmsOutcome } from './sms-outcome.ts'

const unreachedWaitMs = 30_000

/** Codes of Twilio that say something about the account and not about this SMS. */
const accountCodes: Record<number, string> = {
  20003: 'the Account SID and the Auth Token do not belong together',
  20005: 'the account is not active',
  20404: 'there is no such account',
  21606: 'the sender is not a number of this account',
  21660: 'the sender is not a number of this account',
  21659: 'the sender is not a number that Twilio knows',
  21701: 'there is no such messaging service',
  21703: 'the messaging service has no senders',
}

/** What became of an SMS that was given to Twilio. */
export function readTwilioAnswer(answer: PoolAnswer, now: Date): SmsOutcome {
  if (answer.kind === 'unclear') return { kind: 'unknown', detail: answer.detail }
  if (answer.kind === 'not-sent') return { kind: 'later', retryAfterMs: unreachedWaitMs, detail: answer.detail }
  const body = readJsonObject(answer.body)
  if (answer.status === 200 || answer.status === 201) {
    const sid = shorten(body?.sid)
    if (sid === '') return { kind: 'unknown', detail: `Twilio ${answer.status} without the id of a message` }
    const failed = body?.status === 'failed' || body?.status === 'undelivered'
    return failed ? { kind: 'refused', detail: describe(answer.status, body) } : { kind: 'accepted', detail: sid }
  }
  const detail = describe(answer.status, body)
  const fault = typeof body?.code === 'number' ? accountCodes[body.code] : undefined
  if (fault !== undefined) return { kind: 'paused', detail: `${detail}: ${fault}` }
  if (answer.status === 401 || answer.status === 403)
    return { kind: 'paused', detail: `${detail}: Twilio does not take the Account SID and Auth Token` }
  if (answer.status === 429) {
    return { kind: 'later', retryAfterMs: readWait(answer, now) ?? quotaWaitMs, detail }
  }
  // A 4xx from Twilio means that nothing was created; anything else leaves it open.
  return answer.status >= 400 && answer.status < 500 && answer.status !== 408
    ? { kind: 'refused', detail }
    : { kind: 'unknown', detail }
}

function describe(status: number, body: Record<string, unknown> | undefined): string {
  const code = typeof body?.code === 'number' ? body.code : undefined
  const message = shorten(body?.message ?? body?.error_message)
  return ['Twilio', status, code, message && `(${message})`].filter(Boolean).join(' ')
}
