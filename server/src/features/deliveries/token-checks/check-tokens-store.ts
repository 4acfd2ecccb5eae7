import sql from 'sql-template-tag'
import { firstIdAt } from '#base/ids.ts'
import type { Database } from '#base/store/store.ts'
import type { ProviderName } from '../provider.ts'

const DAY = 86_400_000

export interface Pass {
  appId: number
  provider: ProviderName
  /** The day, as `2026-11-15`. */
  on: string
}

export interface UncheckedToken {
  installation_no: number
  device_token: string
  token_changed_at: Date | null
}

/** Where the day's pass stands; undefined when it is done. */
export async function beginPass(database: Database, { appId, provider, on }: Pass): Promise<number | undefined> {
  const [row] = await database.query<{ checked_up_to: number; is_done: boolean }>(sql`
    insert into token_checks (app_id, provider, checked_on) values (${appId}, ${provider}, ${on})
    on conflict (app_id, provider, checked_on) do update set provider = excluded.provider
    returning checked_up_to, finished_at is not null as is_done`)
  return row && !row.is_done ? row.checked_up_to : undefined
}

export async function movePass(
  database: Database,
  { appId, provider, on }: Pass,
  step: { upTo: number; checked: number; gone: number },
): Promise<void> {
  await database.query(
    sql`update token_checks
        set checked_up_to = ${step.upTo}, checked = checked + ${step.checked}, gone = gone + ${step.gone}
        where app_id = ${appId} and provider = ${provider} and checked_on = ${on}`,
    'move-token-check',
  )
}

export async function endPass(database: Database, { appId, provider, on }: Pass, at: Date) {
  const [row] = await database.query<{ checked: number; gone: number }>(sql`
    update token_checks set finished_at = ${at}
    where app_id = ${appId} and provider = ${provider} and checked_on = ${on} returning checked, gone`)
  return row
}

/**
 * [users-and-events.md#uninstall-report] Tokens that nothing has confirmed for a day: neither a registration, a visit
 * nor a push that the provider took.
 */
export function listUncheckedTokens(
  database: Database,
  { appId, provider }: Pass,
  { after, at, limit }: { after: number; at: Date; limit: number },
): Promise<UncheckedToken[]> {
  const dayAgo = new Date(at.getTime() - DAY)
  return database.query<UncheckedToken>(sql`
    select d.installation_no, d.device_token, d.token_changed_at
    from installations i join installation_details d using (app_id, installation_no)
    where i.app_id = ${appId} and i.installation_no > ${after} and i.uninstalled_at is null and i.launched_at < ${dayAgo}
      and d.token_provider = ${provider} and d.token_changed_at < ${dayAgo}
      and not exists (
        select from deliveries sent
        where sent.app_id = ${appId} and sent.message_id >= ${firstIdAt(dayAgo)} and sent.installation_no = i.installation_no
          and sent.sent_at >= ${dayAgo})
    order by i.installation_no limit ${limit}`)
}
