import sql, { raw } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { listTags } from '../../installations/tags/list-tags.ts'

const most = 20
const newestInstallations = 10_000

export function listTagNames(ctx: Context, prefix: string): Promise<string[]> {
  return listTags(ctx, { prefix, limit: most })
}

/** From one value to the next in the index. */
export async function listTagValues(ctx: Context, tag: string, prefix: string): Promise<string[]> {
  const ofTag = sql`t.app_id = ${ctx.app.id} and t.tag = ${tag} and t.value is not null`
  const rows = await db(ctx).query<{ value: string }>(sql`
    with recursive found(value) as (
      (select t.value from user_tags t where ${ofTag} and t.value >= ${prefix} order by t.value limit 1)
      union all
      select (select t.value from user_tags t where ${ofTag} and t.value > f.value order by t.value limit 1)
      from found f where starts_with(f.value, ${prefix})
    )
    select value from found where starts_with(value, ${prefix}) limit ${most}`)
  return rows.map((row) => row.value)
}

export async function listUserIds(ctx: Context, prefix: string): Promise<string[]> {
  const rows = await db(ctx).query<{ user_id: string }>(sql`
    select user_id from users where app_id = ${ctx.app.id} and user_id ^@ ${prefix} order by user_id limit ${most}`)
  return rows.map((row) => row.user_id)
}

export async function listAttributeTexts(ctx: Context, name: string, prefix: string): Promise<string[]> {
  const ofName = sql`a.app_id = ${ctx.app.id} and a.name = ${name} and a.text is not null`
  const rows = await db(ctx).query<{ text: string }>(sql`
    with recursive found(text) as (
      (select left(a.text, 100) from user_attributes a where ${ofName} and left(a.text, 100) >= ${prefix}
       order by left(a.text, 100) limit 1)
      union all
      select (select left(a.text, 100) from user_attributes a where ${ofName} and left(a.text, 100) > f.text
              order by left(a.text, 100) limit 1)
      from found f where starts_with(f.text, ${prefix})
    )
    select text from found where starts_with(text, ${prefix}) limit ${most}`)
  return rows.map((row) => row.text)
}

const newest = (ctx: Context, columns: string) => sql`
  select ${raw(columns)} from installations
  where app_id = ${ctx.app.id} and uninstalled_at is null order by installation_no desc limit ${newestInstallations}`

/** Items of lists, among the users of the newest installations. */
export function listNewestAttributeItems(ctx: Context, name: string, prefix: string): Promise<string[]> {
  return mostFrequent(
    ctx,
    sql`(select distinct user_no from (${newest(ctx, 'user_no')}) i) i
      join user_attributes a on a.app_id = ${ctx.app.id} and a.user_no = i.user_no and a.name = ${name}
      cross join unnest(a.list) as item(value)`,
    prefix,
  )
}

export function listNewestChannels(ctx: Context, prefix: string): Promise<string[]> {
  return mostFrequent(
    ctx,
    sql`(select substr(subscription, 8) as value from (${newest(ctx, 'subscriptions')}) i
         cross join unnest(i.subscriptions) as subscription where starts_with(subscription, 'public/')) item`,
    prefix,
  )
}

/** The column is one of fields.ts. */
export function listNewestValues(ctx: Context, column: string, prefix: string): Promise<string[]> {
  return mostFrequent(ctx, sql`(${newest(ctx, `${column} as value`)}) item`, prefix)
}

async function mostFrequent(ctx: Context, from: ReturnType<typeof newest>, prefix: string): Promise<string[]> {
  const rows = await db(ctx).query<{ value: string }>(sql`
    select item.value from ${from}
    where starts_with(item.value, ${prefix}) group by item.value
    order by count(*) desc, item.value collate "C" limit ${most}`)
  return rows.map((row) => row.value)
}
