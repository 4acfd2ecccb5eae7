import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'

interface Row {
  draft_id: string
  users: string
}

/** Drafts to other users stay, without this one among the ids that were typed. */
export async function forgetUser(
  tx: Transaction,
  { appId, userIds }: { appId: number; userIds: readonly string[] },
): Promise<void> {
  const rows = await tx.query<Row>(sql`
    select draft_id, body #>> '{form,who,users}' as users from send_drafts
    where app_id = ${appId} and exists (
      select from unnest(${[...userIds]}::text[]) as u(user_id) where strpos(body #>> '{form,who,users}', u.user_id) > 0)
    order by draft_id for update`)
  for (const { draft_id, users } of rows) {
    const typed = users.split(/([\s,;،؛]+)/u)
    if (!typed.some((part) => userIds.includes(part))) continue
    const left = typed.filter((part) => !userIds.includes(part)).join('')
    await tx.query(sql`
      update send_drafts set body = jsonb_set(body, '{form,who,users}', to_jsonb(${left}::text)),
        version = version + 1, editor_id = gen_random_uuid()
      where app_id = ${appId} and draft_id = ${draft_id}`)
  }
}
