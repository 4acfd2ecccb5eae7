import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { bigintArray } from '#base/store/bigint-array.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isHeld, isOpenNow } from '../../installations/connections/is-connected-now.ts'
import type { Draft } from '../../messages/accept/draft-message.ts'
import type { NamedDraft } from '../../messages/accept/named-draft.ts'
import { onChannel, onlyOpen } from '../../messages/accept/recipients-condition.ts'
import type { Platform } from '../../messages/payloads/compiled-push.ts'
import type { Audience } from '../../segments/compile/compile-audience.ts'
import { compileCheapest } from '../../segments/compile/compile-cheapest.ts'
import { listByIndex } from '../../segments/index/ask-index.ts'
import { numbersIn } from '../../segments/index/listed-part.ts'
import { readAudience } from '../../segments/read/read-audience.ts'
import type { Place } from '../variants/assign-variant.ts'
import { type ReachClass, reachColumns, reachMarkNames, reachMarks } from './preview-reach.ts'

/** Installations of a message that take the same path. */
export interface ReachGroup extends ReachClass {
  /** Which of the messages, from 1. */
  position: number
  is_member: boolean
  /** The message brings a promo code, which the app withholds from them. */
  is_withheld: boolean
  platform: Platform
  /** Of a message that has several, the language of the installations; null where they have none. */
  language: string | null
  /** When a message with a local time is sent to them; null if that has passed. */
  moment: Date | null
  /** Where they are to be expected in the test of the message, if it is one. */
  place?: Place
  count: number
  first_no: number
  last_no: number
}

/**
 * `select position, installation_no, user_no, device_type, language, time_zone, is_member, is_withheld` of those that messages
 * to named users would go to. `withheld` says of installations `i` which get no promo codes. `offset 0` as in find-receivers.ts.
 */
export function findNamed(appId: number, drafts: readonly NamedDraft[], withheld: Sql): Sql {
  const asked = drafts.flatMap(({ userIds, channel, body }, index) => {
    const of = { position: index + 1, subscription: channel.subscription, isLive: body.live ?? false }
    return userIds.map((userId) => ({ ...of, userId }))
  })
  return sql`
    select asked.position, i.installation_no, i.user_no, i.device_type, i.language, i.time_zone, i.is_member, i.is_withheld
    from ${unnestRows(asked, 'asked', {
      position: ['int', ({ position }) => position],
      user_id: ['text', ({ userId }) => userId],
      subscription: ['text', ({ subscription }) => subscription ?? null],
      is_live: ['boolean', ({ isLive }) => isLive],
    })}
    cross join lateral (
      select user_no from users where app_id = ${appId} and user_id = asked.user_id offset 0
    ) u
    cross join lateral (
      select installation_no, user_no, device_type, language, time_zone, uninstalled_at is null as is_installed,
        asked.subscription is null or asked.subscription = any (subscriptions) or asked.subscription = id::text as is_member,
        ${withheld} as is_withheld
      from installations i where app_id = ${appId} and user_no = u.user_no offset 0
    ) i
    where i.is_installed and (not asked.is_live or ${isOpenNow(sql`${appId}`, sql`i.installation_no`)})`
}

/** More are found faster by their rules than one by one. */
const mostListed = 50_000

/** The same of an audience. The rules are evaluated once: by the index of segments, where it can and they are not too many. */
export async function findAudience(ctx: Context, audience: Audience, draft: Draft, withheld: Sql): Promise<Sql> {
  const read = await readAudience(ctx, audience, draft.acceptedAt)
  const conditions = read.steps.map((step) => step.condition)
  const parts = await listByIndex(ctx, conditions, draft.acceptedAt)
  const isListed = parts && parts.reduce((sum, { count }) => sum + count, 0) <= mostListed
  const source = isListed
    ? sql`unnest(${bigintArray(Float64Array.from(parts.flatMap((part) => [...numbersIn(part)])))}::bigint[]) as listed(number)
        join installations i on i.app_id = ${ctx.app.id} and i.installation_no = listed.number where true`
    : sql`installations i where ${await compileCheapest(db(ctx), conditions, read.scope)}`
  return sql`
    select 1 as position, i.installation_no, i.user_no, i.device_type, i.language, i.time_zone, true as is_member, ${withheld} as is_withheld
    from ${source}${onChannel(draft.channel.subscription)}${onlyOpen(draft.body)}`
}

export function groupByReach(
  database: Database,
  appId: number,
  found: Sql,
  { byLanguage, byMoment = false }: { byLanguage: boolean; byMoment?: boolean },
): Promise<ReachGroup[]> {
  const language = byLanguage ? sql`f.language` : sql`null::text`
  const moment = byMoment ? sql`f.at` : sql`null::timestamptz`
  const alike = sql`position, is_member, is_withheld, language, ${reachMarkNames}`
  return database.query<ReachGroup>(sql`
    select position, is_member, is_withheld, ${reachColumns}, language, moment, count, first_no, last_no
    from (
      select ${alike}, moment, sum(count(*)) over (partition by ${alike}) as alike,
        count(*) as count, min(installation_no) as first_no, max(installation_no) as last_no
      from (
        select f.position, f.is_member, f.is_withheld, f.installation_no, ${language} as language, ${moment} as moment, ${reachMarks}
        from (${found}) f
        left join installation_details d on d.app_id = ${appId} and d.installation_no = f.installation_no
        left join connections c on c.app_id = ${appId} and c.installation_no = f.installation_no and ${isHeld}
      ) r
      group by ${alike}, moment
    ) g
    order by position, is_member desc, is_withheld, provider, is_denied, is_connected, is_open, platform, alike desc, language, moment`)
}

/** How many users each message would reach with a code, by its position. */
export async function countUsers(database: Database, found: Sql): Promise<Map<number, number>> {
  const rows = await database.query<{ position: number; count: number }>(sql`
    select position, count(distinct user_no) as count from (${found}) f where is_member and not is_withheld group by position`)
  return new Map(rows.map(({ position, count }) => [position, count]))
}
