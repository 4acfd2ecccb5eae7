import type { DraftLine } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type DraftRow, lineColumns, readLine } from './draft-store.ts'

export async function listDrafts(ctx: Context): Promise<DraftLine[]> {
  const rows = await db(ctx).query<DraftRow>(
    sql`select ${lineColumns} from send_drafts where app_id = ${ctx.app.id} order by updated_at desc, draft_id`,
  )
  return rows.map(readLine)
}
