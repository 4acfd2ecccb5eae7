import sql, { join, type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import type { PromoRules } from '../accounts/apps/get-promo-rules.ts'

const HOUR = 3_600_000

/**
 * [promo-codes.md#who-gets-which-code] Of installations `i`: those that get no codes; undefined when the app withholds
 * none. Their age is ours to know: created_at, not the day of installation that a client says.
 */
export function withheldInstallations(rules: PromoRules, at: Date): Sql | undefined {
  const { withholdsFromGuests, withheldHours } = rules
  const since = new Date(Number(at) - withheldHours * HOUR).toISOString()
  const conditions = [
    ...(withholdsFromGuests ? [sql`i.is_guest`] : []),
    ...(withheldHours > 0 ? [sql`i.created_at > ${since}::timestamptz`] : []),
  ]
  return conditions.length === 0 ? undefined : sql`(${join(conditions, ' or ')})`
}

/** Those of these installations that get no codes. */
export async function findWithheld(
  database: Database,
  asked: { appId: number; installationNos: readonly number[]; rules: PromoRules; at: Date },
): Promise<Set<number>> {
  const withheld = withheldInstallations(asked.rules, asked.at)
  if (!withheld || asked.installationNos.length === 0) return new Set()
  const rows = await database.query<{ installation_no: number }>(sql`
    select i.installation_no from installations i
    where i.app_id = ${asked.appId} and i.installation_no = any(${[...asked.installationNos]}::bigint[]) and ${withheld}`)
  return new Set(rows.map((row) => row.installation_no))
}

/** Those of these users whose installations all get no codes. A user without installations gets one. */
export async function findWithheldUsers(
  database: Database,
  asked: { appId: number; userNos: readonly number[]; rules: PromoRules; at: Date },
): Promise<Set<number>> {
  const withheld = withheldInstallations(asked.rules, asked.at)
  if (!withheld || asked.userNos.length === 0) return new Set()
  const rows = await database.query<{ user_no: number }>(sql`
    select i.user_no from installations i
    where i.app_id = ${asked.appId} and i.user_no = any(${[...asked.userNos]}::bigint[]) and i.uninstalled_at is null
    group by i.user_no having bool_and(${withheld})`)
  return new Set(rows.map((row) => row.user_no))
}
