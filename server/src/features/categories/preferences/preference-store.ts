import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** What was said about all categories together. */
export const everything = '*'

export interface Choice {
  category: string
  isWanted: boolean
}

export async function readChoices(database: Database, appId: number, userId: string): Promise<Choice[]> {
  return database.query<Choice>(
    sql`select p.category, p.is_wanted as "isWanted"
        from users u join user_preferences p on p.app_id = u.app_id and p.user_no = u.user_no
        where u.app_id = ${appId} and u.user_id = ${userId} order by p.category`,
    'read-preferences',
  )
}

export async function writeChoices(
  tx: Transaction,
  { appId, userNo, at }: { appId: number; userNo: number; at: Date },
  choices: readonly Choice[],
): Promise<void> {
  if (choices.length === 0) return
  await tx.query(
    sql`insert into user_preferences (app_id, user_no, category, is_wanted, changed_at)
        select ${appId}, ${userNo}, category, is_wanted, ${at}
        from ${unnestRows(choices, 'k', {
          category: ['text', ({ category }) => category],
          is_wanted: ['boolean', ({ isWanted }) => isWanted],
        })}
        on conflict (app_id, user_no, category) do update set is_wanted = excluded.is_wanted, changed_at = excluded.changed_at`,
    'write-preferences',
  )
}
