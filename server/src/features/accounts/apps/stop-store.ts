import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { Database } from '#base/store/store.ts'

export interface Stop {
  at: Date
  /** The e-mail address of a member or the name of a token; null when it was the command line. */
  by: string | null
}

/** The numbers of the apps of which nothing is sent, as an array: read once for a statement, from an index of few rows. */
export const stoppedApps: Sql = sql`array(select app_id from apps where stopped_at is not null)`

export async function findStop(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<Stop | undefined> {
  const [row] = await db(ctx).query<{ at: Date | null; by: string | null }>(
    sql`select stopped_at as at, stopped_by as by from apps where app_id = ${ctx.app.id}`,
    'find-stop',
  )
  return row?.at ? { at: row.at, by: row.by } : undefined
}

/** Who was first stays the one who stopped it. */
export async function markStopped(ctx: Pick<Context, 'app' | 'store' | 'tx' | 'member' | 'token'>): Promise<void> {
  const by = ctx.member?.email ?? ctx.token?.name ?? null
  await db(ctx).query(sql`
    update apps set stopped_at = peyk_now(), stopped_by = ${by} where app_id = ${ctx.app.id} and stopped_at is null`)
}

/** Answers since when it was stopped; undefined when it was not. */
export async function markResumed(database: Database, appId: number): Promise<Date | undefined> {
  const [row] = await database.query<{ at: Date }>(sql`
    update apps a set stopped_at = null, stopped_by = null, resumed_at = peyk_now()
    from (select stopped_at as at from apps where app_id = ${appId} and stopped_at is not null for update) was
    where a.app_id = ${appId} returning was.at`)
  return row?.at
}
