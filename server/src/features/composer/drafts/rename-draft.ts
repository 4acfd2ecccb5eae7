import type { DraftLine } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type DraftRow, lineColumns, noDraft, readLine } from './draft-store.ts'

export async function renameDraft(ctx: Context, { id, name }: { id: string; name: string }): Promise<DraftLine> {
  const [row] = await db(ctx).query<DraftRow>(
    sql`update send_drafts set name = ${name.trim()}, is_named = true, version = version + 1, editor_id = gen_random_uuid(),
          updated_at = ${ctx.now()}, updated_by = ${ctx.member?.email ?? ''}
        where app_id = ${ctx.app.id} and draft_id = ${id} returning ${lineColumns}`,
  )
  if (!row) throw noDraft()
  return readLine(row)
}
