import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import type { Store } from '#base/store/store.ts'

/** What expired is refused already; here it goes. */
export async function sweepSessions(job: { store: Store; now(): Date }): Promise<void> {
  await job.store.query(sql`delete from member_sessions where expires_at <= ${realTime(job.now)}`)
  await job.store.query(sql`delete from member_links where expires_at <= ${realTime(job.now)}`)
}
