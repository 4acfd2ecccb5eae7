import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface ShownCode {
  appId: number
  code: string
}

/**
 * Records, before codes are written to a connection, that their users may have seen them: such codes are not returned.
 * Says for each code whether it is still given; one that was returned meanwhile must not be shown.
 */
export async function markShown(database: Database, codes: readonly ShownCode[]): Promise<boolean[]> {
  const rows = await database.query<{ position: number }>(
    sql`with k as materialized (
          select * from ${unnestRows(
            codes,
            'k',
            { app_id: ['int', ({ appId }) => appId], code: ['text', ({ code }) => code] },
            { position: 'position' },
          )}
        ), marked as (
          update promo_given g set shown_at = peyk_now() from k
          where g.app_id = k.app_id and g.code = k.code and g.shown_at is null
          returning g.app_id, g.code
        )
        select k.position::int as position from k
        where exists (select from marked where marked.app_id = k.app_id and marked.code = k.code)
          or exists (select from promo_given g where g.app_id = k.app_id and g.code = k.code and g.shown_at is not null)`,
    'mark-shown-codes',
  )
  const given = new Set(rows.map(({ position }) => position))
  return codes.map((_, index) => given.has(index + 1))
}
