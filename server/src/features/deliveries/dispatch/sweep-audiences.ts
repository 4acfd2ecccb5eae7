import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

/** Removes lists of recipients that were split into batches or recorded as cancelled. */
export async function sweepAudiences({ store }: Pick<Context, 'store'>): Promise<void> {
  await store.query(sql`
    delete from audience_parts p where not exists (
      select from delivery_batches b
      where b.app_id = p.app_id and b.audience_id = p.audience_id)`)
}
