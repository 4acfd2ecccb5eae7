import type { Stall } from '@peyk/contract'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { WaitingMoment } from '../local-time/read-waiting-moments.ts'
import { countInInbox, countWaiting } from './count-deliveries.ts'
import type { DeliveryGroups } from './delivery-groups.ts'

export interface Progress {
  total: number
  /** Handed to a provider, put into the inbox, or ended. */
  settled: number
  /** Without an end yet. */
  waiting: number
  /** Of those that wait: taken to be sent at this moment. Of a stopped message they are with a provider already. */
  inFlight?: number
  /** Of those that are settled: in the inbox, and not with their device yet. */
  inInbox?: number
  /** Ended because the message was cancelled. */
  cancelled?: number
  ratePerSecond?: number
  /** The pace of its throttle. */
  perMinute?: number
  etaSeconds?: number
  /** Providers that take nothing, and that some of it waits for. */
  waitingFor?: Stall[]
  /** Of those that wait: how many until which hour, for the local time of their users. */
  waitingUntil?: WaitingMoment[]
  startedAt?: number
  finishedAt?: number
  paused?: true
  /** All sending of the app is stopped. */
  stopped?: true
}

interface Known {
  stalls?: Stall[] | undefined
  moments?: WaitingMoment[]
  /** The rest waits for its time or for the winner of a test, so the speed so far says nothing about it. */
  isTimed?: boolean
  /** For a throttled message: recent releases per second. */
  releasedPerSecond?: number | undefined
}

interface Measured {
  recipients: number
  paused_at: Date | null
  stopped_at: Date | null
  finished_at: Date | null
  body: Pick<MessageContent, 'throttle' | 'winner'>
}

/**
 * The rate is an average, from the first delivery to now or to the last one; pauses are in it. A message with a throttle
 * continues at its pace, whatever the average was, unless it was recently slower: other messages take turns with it.
 */
export function measureProgress(
  message: Measured,
  { rows, waiting, startedAt }: DeliveryGroups,
  now: Date,
  {
    stalls = [],
    moments = [],
    isTimed = moments.length > 0 || message.body.winner !== undefined,
    releasedPerSecond,
  }: Known = {},
): Progress {
  const left = countWaiting(message.recipients, rows, waiting)
  const done = rows.reduce((sum, row) => sum + (row.reason === 'not-in-channel' ? 0 : row.count), 0)
  const cancelled = rows.reduce((sum, { reason, count }) => sum + (reason === 'cancelled' ? count : 0), left.cancelled)
  const inInbox = countInInbox(rows)
  const isPaused = message.paused_at !== null && left.queued + inInbox > 0
  const isStopped = message.stopped_at !== null && left.queued > 0
  const isOver = message.finished_at !== null || left.queued === 0
  const until = message.finished_at ?? (isOver ? undefined : now)
  const seconds = startedAt && until ? Math.max(1, (until.getTime() - startedAt.getTime()) / 1000) : undefined
  const isStalled = stalls.length > 0 && !isOver && !isPaused && !isStopped
  const isGoing = !isPaused && !isStopped
  const handled = done - (cancelled - left.cancelled)
  const rate = seconds && handled > 0 && isGoing ? handled / seconds : undefined
  const { throttle } = message.body
  const speed = throttle && isGoing ? speedOf(throttle.perMinute / 60, releasedPerSecond) : rate
  return {
    total: message.recipients,
    settled: done + left.cancelled,
    waiting: left.queued,
    ...(left.inFlight > 0 && { inFlight: left.inFlight }),
    ...(inInbox > 0 && { inInbox }),
    ...(cancelled > 0 && { cancelled }),
    ...(rate && { ratePerSecond: Math.round(rate * 10) / 10 }),
    ...(isStalled && { waitingFor: stalls }),
    ...(moments.length > 0 && { waitingUntil: moments }),
    ...(throttle && { perMinute: throttle.perMinute }),
    ...(speed && !isOver && !isStalled && !isTimed && { etaSeconds: Math.ceil(left.queued / speed) }),
    ...(startedAt && { startedAt: startedAt.getTime() }),
    ...(message.finished_at && { finishedAt: message.finished_at.getTime() }),
    ...(isPaused && { paused: true }),
    ...(isStopped && { stopped: true }),
  }
}

/** Measured over a few seconds, so a rate close to the pace counts as the pace. */
function speedOf(pace: number, releasedPerSecond = pace): number {
  return releasedPerSecond > 0 && releasedPerSecond < pace * 0.9 ? releasedPerSecond : pace
}
