import type { SegmentFields } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { listAttributeNames } from '../../installations/attributes/list-attribute-names.ts'
import { aggregates, kindOfAggregate, listFixedFields, operatorsOfKind } from '../fields.ts'

const mostEvents = 500
const mostTags = 1_000
const mostTagKeys = 200

/** What rules of this app can ask for: what everybody has, and what this app has so far. */
export async function listSegmentFields(ctx: Context): Promise<SegmentFields> {
  return {
    fields: listFixedFields(),
    aggregates: aggregates.map((name) => ({ name, kind: kindOfAggregate(name) })),
    operators: Object.fromEntries(Object.entries(operatorsOfKind).map(([kind, words]) => [kind, [...words]])),
    attributes: await listAttributeNames(ctx),
    tagKeys: await readTagKeys(ctx),
    events: await readEventNames(ctx),
  }
}

/** From one tag to the next in the index; of each it is asked whether some user has it with a value. */
async function readTagKeys(ctx: Context): Promise<string[]> {
  const rows = await db(ctx).query<{ tag: string }>(sql`
    with recursive names(tag, place) as (
      (select tag, 1 from user_tags where app_id = ${ctx.app.id} order by tag limit 1)
      union all
      select (select t.tag from user_tags t where t.app_id = ${ctx.app.id} and t.tag > n.tag order by t.tag limit 1), n.place + 1
      from names n where n.tag is not null and n.place < ${mostTags}
    )
    select n.tag from names n
    where n.tag is not null
      and exists (select from user_tags t where t.app_id = ${ctx.app.id} and t.tag = n.tag and t.value is not null)
    limit ${mostTagKeys}`)
  return rows.map((row) => row.tag)
}

/** `purchase` is every app's: all its revenue. Names that differ in case are one event. */
async function readEventNames(ctx: Context): Promise<string[]> {
  const rows = await db(ctx).query<{ name: string }>(sql`
    with recursive names(name, place) as (
      (select name, 1 from event_days where app_id = ${ctx.app.id} order by name limit 1)
      union all
      select (select e.name from event_days e where e.app_id = ${ctx.app.id} and e.name > n.name order by e.name limit 1), n.place + 1
      from names n where n.name is not null and n.place < ${mostEvents}
    )
    select name from names where name is not null`)
  const byKey = new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
  byKey.delete('purchase')
  return ['purchase', ...byKey.values()]
}
