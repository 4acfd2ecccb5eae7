import type { JobName } from './jobs.ts'
import type { JobLane } from './runner.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What runs when. Each job also runs once when the worker starts. A job that failed is tried again sooner. */
export const schedule: readonly JobLane<JobName>[] = [
  {
    name: 'often',
    jobs: [
      { job: 'adopt-user-events', everyMs: 1 * SECOND },
      { job: 'finish-messages', everyMs: 1 * SECOND },
      { job: 'settle-cancelled', everyMs: 1 * SECOND },
      { job: 'settle-user-changes', everyMs: 1 * SECOND },
      { job: 'return-refused-codes', everyMs: 1 * SECOND },
      { job: 'list-recalled', everyMs: 1 * SECOND },
      { job: 'sweep-audiences', everyMs: 10 * SECOND },
      { job: 'emit-capped', everyMs: 10 * SECOND },
      { job: 'emit-low-sets', everyMs: 10 * SECOND },
      { job: 'tend-series', everyMs: 10 * SECOND },
    ],
  },
  // Recording millions of cancelled deliveries may take minutes; nothing else waits for it.
  { name: 'cancelled', jobs: [{ job: 'record-cancelled', everyMs: 1 * SECOND }] },
  // A pass may take minutes; nothing else waits for it.
  { name: 'tokens', jobs: [{ job: 'check-tokens', everyMs: 10 * MINUTE }] },
  // Only what an older version left: one pass, which may take hours.
  { name: 'details', jobs: [{ job: 'fill-detail-codes', everyMs: 24 * HOUR }] },
  // Counting may take seconds where there are millions.
  {
    name: 'usage',
    jobs: [
      { job: 'count-usage', everyMs: 1 * MINUTE },
      { job: 'warn-of-quotas', everyMs: 1 * MINUTE },
      { job: 'count-providers', everyMs: 1 * HOUR },
    ],
  },
  { name: 'segments', jobs: [{ job: 'count-saved-segments', everyMs: 1 * HOUR }] },
  {
    name: 'seldom',
    jobs: [
      { job: 'prepare-months', everyMs: 1 * HOUR },
      { job: 'sweep-promo-sets', everyMs: 10 * MINUTE },
      { job: 'expire-deliveries', everyMs: 10 * MINUTE },
      { job: 'clear-inboxes', everyMs: 10 * MINUTE },
      { job: 'attribute-events', everyMs: 1 * MINUTE },
      { job: 'finish-deletions', everyMs: 1 * MINUTE },
      { job: 'compact-counters', everyMs: 10 * MINUTE },
      { job: 'compact-event-days', everyMs: 6 * HOUR },
      { job: 'forget-old-keys', everyMs: 1 * HOUR },
      { job: 'sweep-sessions', everyMs: 1 * HOUR },
      { job: 'forget-old-approvals', everyMs: 6 * HOUR },
      { job: 'forget-cancelled', everyMs: 6 * HOUR },
      { job: 'forget-ended-series', everyMs: 6 * HOUR },
      { job: 'forget-old-calls', everyMs: 1 * HOUR },
      { job: 'forget-event-ids', everyMs: 6 * HOUR },
      { job: 'forget-user-changes', everyMs: 24 * HOUR },
      { job: 'drop-old-events', everyMs: 24 * HOUR },
      { job: 'drop-old-sendings', everyMs: 24 * HOUR },
    ],
  },
]
