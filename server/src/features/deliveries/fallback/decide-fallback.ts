import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import type { DueFallback, FallbackEnd } from './claim-store.ts'
import { readPhone } from './read-phone.ts'
import type { SmsText } from './sms-text.ts'

/** Whether the app can send SMS. */
export type GatewayState = 'none' | 'paused' | 'open'

export interface EndOfFallback {
  state: FallbackEnd
  detail: string
}

/** [sending.md#sms-fallback] Where an SMS that is due goes, or what becomes of it instead. */
export function findPhone(
  due: DueFallback,
  state: GatewayState,
): { phone: string } | { isPaused: true } | EndOfFallback {
  if (due.isCancelled) return { state: 'cancelled', detail: 'the message was cancelled' }
  if (due.isExpired) return { state: 'expired', detail: 'the message had expired when the SMS was due' }
  if (state === 'none') return { state: 'no-provider', detail: 'the app has no SMS gateway' }
  const phone = readPhone(due.userId, due.attributes.phone, due.isPhoneUnverified)
  if (phone === undefined) {
    const isGiven = due.attributes.phone !== undefined
    return {
      state: 'no-phone',
      detail: isGiven ? 'the attribute "phone" is not a phone number' : 'no phone number is known',
    }
  }
  return state === 'paused' ? { isPaused: true } : { phone }
}

export const codeWithheld: EndOfFallback = {
  state: 'refused',
  detail: 'the app gives no promo codes to guests, or to installations that are this new',
}

/** [sending.md#templates, promo-codes.md#who-gets-which-code] What the SMS says. */
export function writeSms(text: SmsText, recipient: Recipient): { text: string } | EndOfFallback {
  if (text.needsPromoCode && recipient.promoCode === undefined) {
    return { state: 'refused', detail: 'there was no promo code left' }
  }
  const written = text.write(recipient)
  if ('fault' in written) return { state: 'refused', detail: `the text could not be written: ${written.fault}` }
  if (written.text.trim() === '') return { state: 'refused', detail: 'the text is empty' }
  return written
}
