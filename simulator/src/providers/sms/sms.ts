import type { Answer } from '../http/answer.ts'
import type { Request } from '../http/request.ts'
import type { ProviderKeys } from '../keys.ts'
import type { Provider, ReadPush } from '../provider.ts'
import { newId, type Tokens } from '../tokens.ts'
import { findGenericProblem, genericAccepted, genericError, readGenericRequest } from './generic.ts'
import {
  findTwilioProblem,
  readTwilioForm,
  type Sms,
  twilioAccepted,
  twilioAccount,
  twilioError,
  twilioFault,
} from './twilio.ts'

export interface SmsOptions {
  keys: ProviderKeys
  tokens: Tokens
  now: () => number
}

const twilioPath = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/
const accountPath = /^\/2010-04-01\/Accounts\/([^/]+)\.json$/
const genericPath = /^\/sms\/send(\?|$)/
const unsubscribed = 21610

/** Twilio's API and a gateway as many operators have one. A killed number has said that it wants no more. */
export function createSms({ keys, tokens, now }: SmsOptions): Provider {
  return {
    name: 'sms',
    read(request) {
      const sid = twilioPath.exec(request.path)?.[1]
      if (sid !== undefined && request.method === 'POST') return readTwilio(request, sid)
      const account = accountPath.exec(request.path)?.[1]
      if (account !== undefined && request.method === 'GET') {
        return { kind: 'other', answer: twilioAccount(request, account, keys.sms), faultTarget: 'sms' }
      }
      if (genericPath.test(request.path) && (request.method === 'POST' || request.method === 'GET')) {
        return readGeneric(request)
      }
      return { kind: 'other', answer: twilioError(20404) }
    },
    answerFault({ status, reason }, request) {
      if (twilioPath.test(request.path) || accountPath.test(request.path)) return twilioFault(status, reason)
      return genericError(status ?? 429, reason ?? 'Asked for by a rule of the simulator')
    },
  }

  function readTwilio(request: Request, sid: string): ReadPush {
    const sms = readTwilioForm(request)
    const problem = findTwilioProblem(request, sms, sid, keys.sms) ?? (isDead(sms) ? unsubscribed : undefined)
    const accepted = twilioAccepted(sms, keys.sms.accountSid, now())
    return push(sms, accepted.sid, accepted.answer, problem === undefined ? undefined : twilioError(problem))
  }

  function readGeneric(request: Request): ReadPush {
    const { apiKey, ...sms } = readGenericRequest(request)
    const refusal = findGenericProblem({ ...sms, apiKey }, keys.sms.apiKey)
    const id = newId()
    return push(sms, id, genericAccepted(id), refusal ?? (isDead(sms) ? genericError(400, 'unsubscribed') : undefined))
  }

  function push(sms: Sms, pushId: string, accepted: Answer, refusal: Answer | undefined): ReadPush {
    return {
      kind: 'push',
      token: sms.to,
      tokenId: tokens.read('sms', sms.to)?.id,
      messageId: sms.reference,
      payload: sms,
      pushId,
      expiresAt: null,
      collapseKey: undefined,
      isValidateOnly: false,
      answer: refusal ?? accepted,
      isAccepted: refusal === undefined,
    }
  }

  function isDead({ to }: Sms): boolean {
    return tokens.deadSince('sms', to) !== undefined
  }
}
