import type { AnyNotification } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import { type LocalTime, readLocalTime } from '../local-time/local-time.ts'
import { readSendTime } from './read-send-time.ts'

/** When a message that goes later starts; with a local time, each user gets it at that time. */
export interface When {
  dueAt: Date
  localTime?: LocalTime | undefined
}

/** Undefined for a message that goes now. */
export function readWhen(sent: Pick<AnyNotification, 'sendAt' | 'live'>, now: Date): When | undefined {
  const when = readMoment(sent.sendAt, now)
  if (when) checkLive(sent, when)
  return when
}

function readMoment(sendAt: AnyNotification['sendAt'], now: Date): When | undefined {
  if (typeof sendAt === 'object' && sendAt !== null) {
    const { dueAt, localTime } = readLocalTime(sendAt, now)
    return { dueAt, localTime }
  }
  const dueAt = readSendTime(sendAt, now)
  return dueAt && { dueAt }
}

/** Who has the app open is asked once, for all: hours later it would say nothing. */
export function checkLive({ live }: Pick<AnyNotification, 'live'>, { localTime }: { localTime?: unknown }): void {
  if (!live || !localTime) return
  throw new RequestError(
    'invalid-request',
    '"live": a live message goes to those who have the app open at one moment; it cannot go at a local time.',
    { details: { field: 'live' } },
  )
}
