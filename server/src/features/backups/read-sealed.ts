import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** One stored secret for every key that secrets were sealed with: a sealed secret begins with the id of its key. */
export async function readSealed(database: Database): Promise<Buffer[]> {
  const rows = await database.query<{ sealed: Buffer }>(sql`
    select distinct on (substring(sealed from 1 for 4)) sealed from (
      select sealed from provider_credentials
      union all select sealed from apns_tokens
      union all select sealed_secret from webhooks
      union all select decode(settings ->> 'identitySecret', 'base64') from apps where settings ? 'identitySecret'
    ) s order by substring(sealed from 1 for 4)`)
  return rows.map(({ sealed }) => sealed)
}
