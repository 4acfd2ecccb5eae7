import type { LocalTime } from '@peyk/contract'
import { readWhen } from '../send/draft/compose.ts'

type Move = { sendAt: number | LocalTime; fault?: undefined } | { sendAt?: undefined; fault: 'noTime' | 'pastTime' }

/** Another time for a message that goes later, as the member's clock shows it. One with a local time keeps that. */
export function readMove(at: string, localTime: Pick<LocalTime, 'zone' | 'late'> | undefined): Move {
  const sendAt = readWhen({ isLater: true, at, ...(localTime && { isLocal: true, late: localTime.late ?? 'now' }) })
  if (sendAt === undefined || typeof sendAt === 'string') return { fault: sendAt ?? 'noTime' }
  return { sendAt: typeof sendAt === 'object' && localTime?.zone ? { zone: localTime.zone, ...sendAt } : sendAt }
}
