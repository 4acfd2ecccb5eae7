import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** Has the form of a code and is none. */
export function sampleOf(code: string | undefined): string {
  return code?.replace(/[a-z]/gi, 'X').replace(/\d/g, '0') ?? 'SAMPLE-CODE'
}

/** What stands for a code where none may be taken [promo-codes.md#who-gets-which-code]. */
export async function readSampleCode(database: Database, appId: number, trackId: string | undefined): Promise<string> {
  const [row] = await database.query<{ code: string }>(sql`
    select c.code from promo_sets s
    cross join lateral (
      select code from promo_codes
      where app_id = ${appId} and set_no = s.set_no and code > s.taken_up_to order by code limit 1
    ) c
    where s.app_id = ${appId} and s.state = 'active' and s.track_id = any(${[trackId ?? '', '']}::text[])
    order by s.track_id desc limit 1`)
  return sampleOf(row?.code)
}
