import type { MessageDetail } from '@peyk/contract'
import { openedOf } from '#parts/numbers/measures.ts'

export type Counted = Pick<MessageDetail, 'at' | 'createdAt' | 'states' | 'opens'>

export interface Opens {
  /** Number of devices, as in the funnel. */
  total: number
  /** Hours within which half of the devices opened it. Undefined: beyond the hourly chart, too few, or too early. */
  halfHours: number | undefined
  /** Devices that are in no bar: their receipts were deleted with their user, or are older than the chart. */
  undated: number
}

const fewest = 10
/** Most devices that open a message do so within a day, so the half cannot be known before that. */
const settledMs = 86_400_000

/** How soon a message was opened. */
export function opensOf({ at, createdAt, states, opens: { hours, days } }: Counted): Opens {
  const sum = (bars: typeof hours) => bars.reduce((total, { opened, acted }) => total + opened + acted, 0)
  const total = openedOf(states)
  const dated = sum(days)
  const place = hours.findIndex((_, index) => sum(hours.slice(0, index + 1)) * 2 >= dated)
  const isKnown = dated >= fewest && place >= 0 && at >= createdAt + settledMs
  return { total, halfHours: isKnown ? place + 1 : undefined, undated: Math.max(0, total - dated) }
}
