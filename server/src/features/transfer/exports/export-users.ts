import type { exportUsers as endpoint, QueryOf } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Cell, RowFile } from '#base/answers/row-file.ts'
import { type Context, db } from '#base/context.ts'
import { inTurn } from './in-turn.ts'

const usersPerRead = 500

interface Row {
  user_no: number
  user_id: string
  is_guest: boolean
  created_at: Date
  tags: object | null
  attributes: object | null
  installations: object | null
}

/** All users with what is known of them, some at a time. */
export async function exportUsers(ctx: Context, input: QueryOf<typeof endpoint>): Promise<RowFile> {
  return new RowFile({
    baseName: `users-${ctx.app.label}`,
    format: input.format ?? 'csv',
    columns: {
      userId: 'text',
      isGuest: 'boolean',
      createdAt: 'time',
      tags: 'json',
      attributes: 'json',
      installations: 'json',
    },
    rows: inTurn(ctx, readRows(ctx, input.deviceTokens === true)),
  })
}

async function* readRows(ctx: Context, withTokens: boolean): AsyncGenerator<readonly Cell[]> {
  for (let after = 0; ; ) {
    const rows = await readUsers(ctx, after, withTokens)
    for (const row of rows) {
      const { user_id, is_guest, created_at, tags, attributes, installations } = row
      yield [user_id, is_guest, created_at.toISOString(), tags, attributes, installations]
    }
    const last = rows.at(-1)
    if (rows.length < usersPerRead || !last) return
    after = last.user_no
  }
}

async function readUsers(ctx: Context, after: number, withTokens: boolean): Promise<Row[]> {
  return db(ctx).query<Row>(sql`
    select u.user_no, u.user_id, u.is_guest, u.created_at,
      (select jsonb_object_agg(t.tag, t.value) from user_tags t where t.app_id = u.app_id and t.user_no = u.user_no) as tags,
      (select jsonb_object_agg(a.name, a.value) from user_attributes a where a.app_id = u.app_id and a.user_no = u.user_no) as attributes,
      (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
           'id', i.id, 'deviceType', i.device_type, 'deviceToken', case when ${withTokens} then d.device_token end,
           'clientVersion', i.client_version, 'osVersion', i.os_version, 'language', i.language, 'timeZone', i.time_zone,
           'subscriptions', case when i.subscriptions <> '{}' then to_jsonb(i.subscriptions) end,
           'tokenStatus', d.token_status, 'launchCount', i.launch_count,
           'launchedAt', to_char(i.launched_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
           'installedAt', to_char(i.installed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) order by i.installation_no)
       from installations i
       left join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
       where i.app_id = u.app_id and i.user_no = u.user_no and i.uninstalled_at is null) as installations
    from (select * from users where app_id = ${ctx.app.id} and user_no > ${after} order by user_no limit ${usersPerRead}) u
    order by u.user_no`)
}
