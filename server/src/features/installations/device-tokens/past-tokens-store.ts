import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/**
 * Why an installation has a push token no more: it brought another, said that it has none, another installation brought
 * it, the provider called it dead, or it belongs to another project.
 */
export type TokenEnd = 'renewed' | 'withdrawn' | 'taken' | 'gone' | 'foreign'

export interface EndedToken {
  appId: number
  installationNo: number
  givenAt: Date | undefined
  endedAt: Date
  reason: TokenEnd
}

const keptPerInstallation = 20

/** Notes that tokens ended. Of each installation the newest are kept. */
export async function recordPastTokens(database: Database, ended: readonly EndedToken[]): Promise<void> {
  if (ended.length === 0) return
  const sorted = ended.toSorted((a, b) => a.appId - b.appId || a.installationNo - b.installationNo)
  const keys = sql`unnest(${sorted.map(({ appId }) => appId)}::int[], ${sorted.map(({ installationNo }) => installationNo)}::bigint[])`
  await database.query(
    sql`insert into past_tokens (app_id, installation_no, ended_at, given_at, reason)
        select * from unnest(${sorted.map(({ appId }) => appId)}::int[], ${sorted.map(({ installationNo }) => installationNo)}::bigint[],
          ${sorted.map(({ endedAt }) => endedAt.toISOString())}::timestamptz[],
          ${sorted.map(({ givenAt }) => givenAt?.toISOString() ?? null)}::timestamptz[], ${sorted.map(({ reason }) => reason)}::text[])
        on conflict do nothing`,
    'record-past-tokens',
  )
  await database.query(
    sql`delete from past_tokens p using ${keys} as k(app_id, installation_no)
        where p.app_id = k.app_id and p.installation_no = k.installation_no and p.ended_at <= (
          select ended_at from past_tokens o where o.app_id = k.app_id and o.installation_no = k.installation_no
          order by ended_at desc offset ${keptPerInstallation} limit 1)`,
    'trim-past-tokens',
  )
}
