import type { MessageLine, Stall, Throttle } from '@peyk/contract'
import { countDeliveries } from '../../deliveries/progress/count-deliveries.ts'
import type { DeliveryGroups } from '../../deliveries/progress/delivery-groups.ts'
import { measureProgress } from '../../deliveries/progress/measure-progress.ts'

export interface LineRow {
  id: string
  accepted_at: Date
  cancelled_at: Date | null
  paused_at: Date | null
  /** Since when all sending of the app is stopped. */
  stopped_at: Date | null
  finished_at: Date | null
  recalled_at: Date | null
  recipients: number
  product: MessageLine['product']
  audience: MessageLine['audience']
  channel: string
  track_id: string | null
  title: string | null
  text: string | null
  is_silent: boolean
  /** Sent from the panel to try it. */
  is_test: boolean
  /** Part of it waits for the local times of its users, or for the winner of a test. */
  is_timed: boolean
  throttle: Throttle | null
  segment_name: string | null
  is_to_all: boolean
  user_id: string | null
  user_count: number
}

/** A message as a list shows it. */
export function messageLine(
  row: LineRow,
  groups: DeliveryGroups,
  now: Date,
  known: { stalls?: Stall[] | undefined; releasedPerSecond?: number | undefined },
): MessageLine {
  const isToOne = row.audience === 'users' && row.user_count === 1 && row.user_id !== null
  return {
    id: row.id,
    product: row.product,
    audience: row.audience,
    createdAt: row.accepted_at.getTime(),
    ...(row.cancelled_at && { cancelledAt: row.cancelled_at.getTime() }),
    ...(row.recalled_at && { recalledAt: row.recalled_at.getTime() }),
    count: row.recipients,
    ...(isToOne && { user: row.user_id as string }),
    ...(row.audience === 'users' && !isToOne && { userCount: row.user_count }),
    ...(row.segment_name !== null && { segmentName: row.segment_name }),
    ...(row.is_to_all && { isToAll: true }),
    channel: row.channel,
    ...(row.track_id !== null && { trackId: row.track_id }),
    ...(row.title && { title: row.title }),
    ...(row.text && { text: row.text }),
    ...(row.is_silent && { silent: true }),
    ...(row.is_test && { isTest: true }),
    states: countDeliveries(row.recipients, groups.rows, groups.waiting).states,
    progress: measureProgress({ ...row, body: row.throttle ? { throttle: row.throttle } : {} }, groups, now, {
      ...known,
      isTimed: row.is_timed,
    }),
  }
}
