import type { DayPlatform } from '@peyk/contract'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export interface UninstallRow {
  no: number
  uninstalled_at: Date
  installation_id: string
  device_type: string
  user_id: string
  is_churn: boolean
}

export interface UninstallsWanted {
  from: Date
  type?: 'churn' | 'uninstall' | undefined
  platform?: DayPlatform | undefined
  before?: { at: Date; no: number } | undefined
  limit: number
}

/** Newest first. */
export async function findUninstalls(ctx: Context, wanted: UninstallsWanted): Promise<UninstallRow[]> {
  return db(ctx).query<UninstallRow>(sql`
    select uninstall_no as no, uninstalled_at, installation_id, device_type, user_id, is_churn from uninstalls
    where app_id = ${ctx.app.id} and uninstalled_at >= ${wanted.from} ${conditions(wanted)}
    order by uninstalled_at desc, uninstall_no desc limit ${wanted.limit}`)
}

function conditions({ type, platform, before }: UninstallsWanted): Sql {
  const parts = [empty]
  if (type === 'churn') parts.push(sql`and is_churn`)
  if (platform === 'other') parts.push(sql`and device_type not in ('android', 'ios', 'web')`)
  else if (platform !== undefined) parts.push(sql`and device_type = ${platform}`)
  if (before) {
    const { at, no } = before
    parts.push(sql`and uninstalled_at <= ${at} and (uninstalled_at, uninstall_no) < (${at}, ${no}::bigint)`)
  }
  return join(parts, ' ')
}
