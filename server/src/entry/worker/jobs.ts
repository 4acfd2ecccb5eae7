import { forgetOldKeys } from '../../base/forget-old-keys.ts'
import { createPartitions } from '../../base/store/partitions.ts'
import { adoptUserEvents } from '../../features/events/adopt-user-events.ts'
import { dropOldEvents } from '../../features/events/drop-old-events.ts'
import { forgetEventIds } from '../../features/events/forget-event-ids.ts'
import { sweepPromoSets } from '../../features/promo/sweep-promo-sets.ts'
import { dropOldSendings } from '../../features/receipts/drop-old-sendings.ts'
import type { Job } from './runner.ts'

/** Every job and the verb it calls. When they run is in schedule.ts. */
export const jobs = {
  'create-partitions': ({ store, now }) => createPartitions(store, now()),
  'adopt-user-events': adoptUserEvents,
  'drop-old-events': dropOldEvents,
  'drop-old-sendings': dropOldSendings,
  'forget-event-ids': forgetEventIds,
  'forget-old-keys': forgetOldKeys,
  'sweep-promo-sets': sweepPromoSets,
} as const satisfies Record<string, Job>

export type JobName = keyof typeof jobs
