import type { DeliveryReason, MessageDetail } from '@peyk/contract'
import { openedOf, openShare } from '#parts/numbers/measures.ts'
import { type MessageStatus, statusOf } from '../../message-status.ts'

/** What a message is judged by. */
export type Judged = Pick<
  MessageDetail,
  | 'count'
  | 'states'
  | 'reasons'
  | 'progress'
  | 'cancelledAt'
  | 'recalledAt'
  | 'createdAt'
  | 'usual'
  | 'clientId'
  | 'silent'
  | 'live'
>

/** Did it work? */
export interface Outcome {
  status: MessageStatus
  isTest: boolean
  /** Only those that had the app open were to get it. */
  isLive: boolean
  total: number
  /** Not handed over yet, or kept until the device connects. */
  queued: number
  sent: number
  delivered: number
  opened: number
  /** From the first device to the last. Undefined: not known, or not worth a word. */
  seconds: number | undefined
  /** More may still open it. */
  isYoung: boolean
  /** It has something to open. */
  isOpenable: boolean
  /** Why its one device did not get it. */
  reason: DeliveryReason | undefined
  /** How its open rate compares with that of the app's messages before it. */
  against: { points: number; side: 'above' | 'below' | 'near' } | undefined
}

const DAY_MS = 86_400_000
/** With fewer devices an open rate is chance. */
const fewestCompared = 100

export function judgeOutcome(message: Judged, now: number): Outcome {
  const { count, states, progress, reasons } = message
  const status = statusOf(message)
  const { startedAt, finishedAt } = progress
  const isOver = progress.waiting === 0
  const isYoung = !isOver || now < (finishedAt ?? message.createdAt) + DAY_MS
  const isOpenable = !message.silent
  return {
    status,
    isTest: message.clientId === 'panel-test',
    isLive: message.live === true,
    total: count,
    queued: states.queued,
    sent: states.sent,
    delivered: states.delivered,
    opened: openedOf(states),
    seconds:
      isOver && startedAt !== undefined && finishedAt !== undefined && count > 1
        ? Math.max(1, Math.round((finishedAt - startedAt) / 1000))
        : undefined,
    isYoung,
    isOpenable,
    reason:
      count === 1
        ? (Object.entries(reasons) as [DeliveryReason, number][]).find(([, ended]) => ended > 0)?.[0]
        : undefined,
    against: isOver && isOpenable ? compare(message, isYoung) : undefined,
  }
}

/** A young message that is below may still catch up: nothing is said of it. */
function compare({ states, usual }: Judged, isYoung: boolean): Outcome['against'] {
  const share = openShare(states)
  if (!usual || share === undefined || states.delivered < fewestCompared) return undefined
  const difference = share - usual.openShare
  const points = Math.abs(difference) * 100
  if (Math.abs(difference) < chanceOf(usual.openShare, states.delivered)) return { points, side: 'near' }
  if (difference > 0) return { points, side: 'above' }
  return isYoung ? undefined : { points, side: 'below' }
}

/** How far a share may be off by chance alone, 19 times out of 20; at least what rounding hides. */
function chanceOf(share: number, devices: number): number {
  return Math.max(0.0005, 1.96 * Math.sqrt((share * (1 - share)) / devices))
}
