import { randomUUID } from 'node:crypto'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { raiseAlert } from '../../accounts/alerts/raise-alert.ts'
import { smsLeftToday } from '../../accounts/quotas/sms-left-today.ts'
import { preferencesUrlFor } from '../../categories/preferences/preference-link.ts'
import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import type { PendingTexts } from '../../messages/rendering/pending-texts.ts'
import {
  type Claim,
  claimFallbacks,
  type DueFallback,
  type FallbackKey,
  listDue,
  type Postponed,
  postponeFallbacks,
} from './claim-store.ts'
import { codeWithheld, type EndOfFallback, findPhone, writeSms } from './decide-fallback.ts'
import { planFallbacks } from './plan-fallbacks.ts'
import { countSms, lockSmsDays } from './sms-days.ts'
import { findSmsGateways, type SmsGateway } from './sms-gateways.ts'
import { readSmsText, type SmsText } from './sms-text.ts'
import { takeFallbackCodes } from './take-fallback-codes.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

export interface SmsToSend extends FallbackKey {
  appLabel: string
  phone: string
  text: string
  reference: string
  gateway: SmsGateway
}

const pausedSeconds = 60

/**
 * Decides what becomes of the SMS that are due and commits it: those that come back are 'sending', ours, and counted
 * for the day. `moved` says how many left 'waiting'.
 */
export async function takeFallbacks(
  services: Services,
  room: { perApp: number; inFlight: ReadonlyMap<number, number> },
  late: { texts: PendingTexts; onReady: () => void },
): Promise<{ sends: SmsToSend[]; moved: number }> {
  const { store } = services
  const due = await listDue(store, room, services.now())
  if (due.length === 0) return { sends: [], moved: 0 }
  const gateways = await findSmsGateways(services, [...new Set(due.map(({ appId }) => appId))])
  const { ends, sends, postponed } = await decide(services, due, gateways, late)
  if (postponed.length > 0) await postponeFallbacks(store, postponed)
  const taken = await store.transaction((tx) => claimWithinLimits(services, tx, ends, sends))
  for (const [appId, { label, limit }] of taken.overLimit) {
    await raiseAlert(
      { ...services, app: { id: appId, label } },
      {
        kind: 'sms-limit',
        text: `The daily limit of ${limit} SMS is reached, and no more are sent today. Raise dailyLimit in the SMS credentials if it is too low.`,
        details: { dailyLimit: limit },
      },
    )
  }
  return taken
}

/**
 * Who can be sent to and may be now, then their codes where the text has them, then the text. Where writing it may take long, the SMS
 * stays as it is, and is decided when the text is there.
 */
async function decide(
  services: Services,
  due: readonly DueFallback[],
  gateways: ReadonlyMap<number, SmsGateway>,
  late: { texts: PendingTexts; onReady: () => void },
) {
  const ends: Claim[] = []
  const postponed: Postponed[] = []
  const withPhone: { due: DueFallback; phone: string; text: SmsText }[] = []
  const texts = new Map(due.map(({ content }) => [content, readSmsText(content)]))
  for (const each of due) {
    const found = findPhone(each, gatewayOf(gateways, each).state)
    if ('phone' in found) withPhone.push({ due: each, phone: found.phone, text: texts.get(each.content) as SmsText })
    else if ('isPaused' in found) postponed.push({ ...keyOf(each), seconds: pausedSeconds, detail: 'SMS is paused' })
    else ends.push(endOf(each, found))
  }
  const kept = await planFallbacks(
    services,
    withPhone.map((each) => each.due),
  )
  const reachable = withPhone.filter((each) => !kept.has(each.due))
  for (const [each, instead] of kept) {
    if ('state' in instead) ends.push(endOf(each, instead))
    else postponed.push({ ...keyOf(each), ...instead })
  }
  const needingCodes = reachable.filter(({ text }) => text.needsPromoCode).map((each) => each.due)
  const codes = await takeFallbackCodes(services.store, needingCodes, services.now())
  const sends: SmsToSend[] = []
  for (const { due: each, phone, text } of reachable) {
    const { appId, messageId, userId, attributes } = each
    const given = codes.get(each)
    if (given && 'isWithheld' in given) {
      ends.push(endOf(each, codeWithheld))
      continue
    }
    const key = `${messageId}/${userId}`
    const recipient: Recipient = {
      ...{ userId, attributes, promoCode: given?.code, installationId: '', deviceType: '' },
      preferencesUrl: preferencesUrlFor(services.external, { appId, userId }),
    }
    const ready = late.texts.take(key)
    if (ready) recipient.written = ready
    if (text.needsSlowTexts(recipient)) {
      late.texts.begin(key, recipient, () => text.renderSlowTexts(appId, recipient), late.onReady)
      continue
    }
    const written = writeSms(text, recipient)
    if ('state' in written) ends.push(endOf(each, written))
    else
      sends.push({
        ...keyOf(each),
        appLabel: each.appLabel,
        phone,
        ...written,
        reference: randomUUID(),
        gateway: gatewayOf(gateways, each),
      })
  }
  return { ends, sends, postponed }
}

function gatewayOf(gateways: ReadonlyMap<number, SmsGateway>, { appId }: FallbackKey): SmsGateway {
  return gateways.get(appId) as SmsGateway
}

function keyOf({ appId, messageId, userId }: FallbackKey): FallbackKey {
  return { appId, messageId, userId }
}

function endOf(due: DueFallback, { state, detail }: EndOfFallback): Claim {
  return { ...keyOf(due), state, detail, phone: null, reference: null }
}

async function claimWithinLimits(
  services: Services,
  tx: Transaction,
  ends: readonly Claim[],
  sends: readonly SmsToSend[],
) {
  const appIds = [...new Set(sends.map(({ appId }) => appId))]
  const sentToday = appIds.length > 0 ? await lockSmsDays(tx, appIds) : new Map<number, number>()
  const overLimit = new Map<number, { label: string; limit: number }>()
  const claims = sends.map((send): Claim => {
    const { appId, phone, reference, gateway, appLabel } = send
    const sent = sentToday.get(appId) ?? 0
    sentToday.set(appId, sent + 1)
    const key = { ...keyOf(send), phone }
    const { limit: quota, left } = smsLeftToday(services, appId) ?? { left: Number.POSITIVE_INFINITY }
    if (sent < gateway.dailyLimit && sent < left) return { ...key, state: 'sending', detail: null, reference }
    if (sent < gateway.dailyLimit)
      return {
        ...key,
        state: 'over-limit',
        detail: `the app's quota of ${quota} SMS a month is used up`,
        reference: null,
      }
    overLimit.set(appId, { label: appLabel, limit: gateway.dailyLimit })
    return {
      ...key,
      state: 'over-limit',
      detail: `the limit of ${gateway.dailyLimit} SMS a day is reached`,
      reference: null,
    }
  })
  const { moved, sending } = await claimFallbacks(tx, [...ends, ...claims])
  const own = sends.filter(({ reference }) => sending.has(reference))
  for (const appId of appIds) {
    const count = own.filter((send) => send.appId === appId).length
    if (count > 0) await countSms(tx, appId, count)
  }
  return { sends: own, moved, overLimit }
}
