import { forgetOldKeys } from '#base/idempotency/forget-old-keys.ts'
import { prepareMonths } from '#features/accounts/alerts/prepare-months.ts'
import { warnOfQuotas } from '#features/accounts/quotas/warn-of-quotas.ts'
import { sweepSessions } from '#features/accounts/sessions/sweep-sessions.ts'
import { forgetOldApprovals } from '#features/composer/approvals/forget-old-approvals.ts'
import { recordCancelled } from '#features/deliveries/control/record-cancelled.ts'
import { settleCancelled } from '#features/deliveries/control/settle-cancelled.ts'
import { fillDetailCodes } from '#features/deliveries/details/fill-detail-codes.ts'
import { sweepAudiences } from '#features/deliveries/dispatch/sweep-audiences.ts'
import { emitCapped } from '#features/deliveries/hand-over/emit-capped.ts'
import { clearExpiredInboxes } from '#features/deliveries/inbox/clear-expired-inboxes.ts'
import { forgetUserChanges } from '#features/deliveries/other-user/forget-user-changes.ts'
import { returnRefusedCodes } from '#features/deliveries/other-user/return-refused-codes.ts'
import { settleUserChanges } from '#features/deliveries/other-user/settle-user-changes.ts'
import { compactCounters } from '#features/deliveries/progress/compact-counters.ts'
import { expireDeliveries } from '#features/deliveries/progress/expire-deliveries.ts'
import { finishMessages } from '#features/deliveries/progress/finish-messages.ts'
import { listRecalled } from '#features/deliveries/recall/list-recalled.ts'
import { checkTokens } from '#features/deliveries/token-checks/check-tokens.ts'
import { adoptUserEvents } from '#features/events/adoption/adopt-user-events.ts'
import { creditEvents } from '#features/events/influence/credit-events.ts'
import { compactEventDays } from '#features/events/upkeep/compact-event-days.ts'
import { dropOldEvents } from '#features/events/upkeep/drop-old-events.ts'
import { forgetEventIds } from '#features/events/upkeep/forget-event-ids.ts'
import { forgetCancelled } from '#features/messages/schedule/forget-cancelled.ts'
import { forgetEndedSeries } from '#features/messages/series/forget-ended-series.ts'
import { tendSeries } from '#features/messages/series/tend-series.ts'
import { finishDeletions } from '#features/privacy/finish-deletions.ts'
import { emitLowSets } from '#features/promo/emit-low-sets.ts'
import { sweepPromoSets } from '#features/promo/sweep-promo-sets.ts'
import { dropOldSendings } from '#features/receipts/drop-old-sendings.ts'
import { countSavedSegments } from '#features/segments/saved/count-saved-segments.ts'
import { countProviders } from '#features/statistics/usage/count-providers.ts'
import { countUsage } from '#features/statistics/usage/count-usage.ts'
import { forgetOldCalls } from '#features/webhooks/calls/forget-old-calls.ts'
import type { Job } from './runner.ts'

/** Every job and the verb it calls. When they run is in schedule.ts. */
export const jobs = {
  'prepare-months': prepareMonths,
  'adopt-user-events': adoptUserEvents,
  'attribute-events': creditEvents,
  'drop-old-events': dropOldEvents,
  'drop-old-sendings': dropOldSendings,
  'check-tokens': checkTokens,
  'count-providers': countProviders,
  'count-saved-segments': countSavedSegments,
  'count-usage': countUsage,
  'clear-inboxes': clearExpiredInboxes,
  'expire-deliveries': expireDeliveries,
  'fill-detail-codes': fillDetailCodes,
  'finish-deletions': finishDeletions,
  'finish-messages': finishMessages,
  'compact-counters': compactCounters,
  'compact-event-days': compactEventDays,
  'forget-event-ids': forgetEventIds,
  'forget-old-approvals': forgetOldApprovals,
  'forget-old-keys': forgetOldKeys,
  'forget-cancelled': forgetCancelled,
  'forget-ended-series': forgetEndedSeries,
  'forget-user-changes': forgetUserChanges,
  'forget-old-calls': forgetOldCalls,
  'list-recalled': listRecalled,
  'record-cancelled': recordCancelled,
  'settle-cancelled': settleCancelled,
  'settle-user-changes': settleUserChanges,
  'return-refused-codes': returnRefusedCodes,
  'sweep-audiences': sweepAudiences,
  'sweep-promo-sets': sweepPromoSets,
  'sweep-sessions': sweepSessions,
  'tend-series': tendSeries,
  'emit-capped': emitCapped,
  'emit-low-sets': emitLowSets,
  'warn-of-quotas': warnOfQuotas,
} as const satisfies Record<string, Job>

export type JobName = keyof typeof jobs
