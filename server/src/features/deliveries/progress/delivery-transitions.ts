import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import type { Detail } from '../details/detail.ts'

/** How far a delivery has come. */
export interface DeliveryPlace extends Detail {
  state: DeliveryState
  /** Why it ended; only for `ended`. */
  reason?: DeliveryReason
  /** When a provider accepted it. */
  sentAt?: Date
  provider?: string
  /** Of the installation, where a new one knows it. */
  platform?: string
  /** A new one waits for its installation over the own connection. */
  inInbox?: true
  /** Of a new one: in which language of the message it was handed over. */
  language?: string | undefined
  /** Until when it waits there, where the message has other ends for other users. */
  expiresAt?: Date
  /** Of a new one, where the message is a test: which variant the user was given, and when, if they are compared. */
  variant?: string | undefined
  testedAt?: Date | undefined
  at: Date
}

/**
 * [sending.md#states-of-a-delivery] A state only moves forward. Opened, acted and dismissed are equally far: the first
 * of them stays. An end comes only to what has not reached the device, and is final; `unknown` alone is lifted by what
 * the device reports.
 *
 *   queued 1 ──▶ sent 2 ──▶ delivered 4 ──▶ shown 5 ──▶ opened | acted | dismissed 6
 *      └────────────┴─────▶ ended: unknown 3, any other reason 7
 */
const ranks: Record<Exclude<DeliveryState, 'ended'>, number> = {
  queued: 1,
  sent: 2,
  delivered: 4,
  shown: 5,
  opened: 6,
  acted: 6,
  dismissed: 6,
}
const endRanks = { unknown: 3, other: 7 }

function mayFollow(was: DeliveryPlace, step: DeliveryPlace): boolean {
  const rank = was.state !== 'ended' ? ranks[was.state] : was.reason === 'unknown' ? endRanks.unknown : endRanks.other
  return rank < (step.state === 'ended' ? endRanks.unknown : ranks[step.state])
}

/** Of a delivery of which so far only the device has reported. */
function isFirstWay(was: DeliveryPlace, step: DeliveryPlace): boolean {
  return was.provider === undefined && was.state !== 'ended' && step.provider !== undefined && step.state !== 'ended'
}

/** Where a delivery is after a step. Which way it took is noted also when the device was faster to report. */
export function applyStep(was: DeliveryPlace | undefined, step: DeliveryPlace): DeliveryPlace {
  const sentAt = was?.sentAt ?? (step.state === 'sent' ? step.at : undefined)
  if (!was) return { ...step, ...(sentAt && { sentAt }) }
  if (!mayFollow(was, step)) {
    const isNews = step.state === 'sent' ? !was.sentAt : isFirstWay(was, step)
    return isNews ? { ...step, ...was, ...(sentAt && { sentAt }) } : was
  }
  const { provider = was.provider } = step
  // What a device reports says nothing of how it was sent.
  const { detail, detailCode, detailProvider } = step.provider === undefined && step.state !== 'ended' ? was : step
  return {
    state: step.state,
    at: step.at,
    ...(step.reason && { reason: step.reason }),
    ...(sentAt && { sentAt }),
    ...(provider !== undefined && { provider }),
    ...(detail !== undefined && { detail }),
    ...(detailCode !== undefined && { detailCode }),
    ...(detailProvider !== undefined && { detailProvider }),
  }
}
