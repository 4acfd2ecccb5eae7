import { type Cap, capWindowMs, type DryRun } from '@peyk/contract'
import sql, { join, type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { getSendingRules, type SendingRules } from '../../accounts/sending/get-sending-rules.ts'
import type { Draft } from '../../messages/accept/draft-message.ts'
import { momentOf } from '../../messages/local-time/local-time.ts'
import type { When } from '../../messages/schedule/read-when.ts'
import { countsFor, free } from '../hand-over/cap.ts'
import { inControlGroup } from '../hand-over/control-group.ts'
import { decideHandOver } from '../hand-over/decide-hand-over.ts'
import { quietUntil } from '../hand-over/quiet-hours.ts'
import { rulesOf } from '../hand-over/rules-of-message.ts'
import { firstClock, zonesOf } from '../hand-over/user-clocks.ts'
import { readUsersOfManyZones } from '../local-time/user-clocks.ts'

type HeldBack = Required<Pick<DryRun, 'waiting' | 'ends'>>

/** Users of whom the same is known, by their installations. */
interface Group {
  is_control: boolean
  is_unwilling: boolean
  zones: string[] | null
  is_full: boolean
  count: number
}

/**
 * How many installations would have to wait for a message with a category, or would not get it, if it went
 * then. Undefined where it has none. How long a cap stays full is not asked: who waits for it is counted as waiting.
 */
export async function countHeldBack(
  tx: Transaction,
  { draft, found, position, isBroad }: { draft: Draft; found: Sql; position: number; isBroad: boolean },
  { dueAt, localTime }: When,
): Promise<HeldBack | undefined> {
  const ttl = draft.expiresAt.getTime() - draft.acceptedAt.getTime()
  const rules = rulesOf(draft.body, dueAt)
  const category = rules?.category
  if (!rules || category === undefined) return undefined
  const app = await getSendingRules(tx, draft.appId)
  const caps = app.caps.filter((cap) => countsFor(cap, category))
  const asked = { found, position, category, app, caps, at: dueAt }
  const none = { users: '{}', zones: '{}' }
  const zones = isBroad ? (app.quietHours ? await readZonesOfMany(tx, draft.appId) : none) : undefined
  const groups = await (zones ? readBroadGroups(tx, draft.appId, asked, zones) : readGroups(tx, draft.appId, asked))
  const held: HeldBack = {
    waiting: { quietHours: 0, capped: 0 },
    ends: { control: 0, unsubscribed: 0, capped: 0, expired: 0 },
  }
  for (const { is_control, is_unwilling, is_full, zones, count } of groups) {
    const zone = firstClock(zones ?? []) ?? app.zone
    const at = (localTime && momentOf(localTime, zone, dueAt)) ?? dueAt
    const decision = decideHandOver(
      { ...rules, expiresAt: new Date(at.getTime() + ttl) },
      {
        isInControlGroup: is_control,
        isWanted: !is_unwilling,
        quietUntil: app.quietHours && quietUntil(at, zone, app.quietHours),
        cap: is_full ? { kind: 'full', cap: caps[0] as Cap, by: [], untilMs: at.getTime() } : free,
      },
    )
    if (decision.kind === 'wait') held.waiting[decision.for === 'cap' ? 'capped' : 'quietHours'] += count
    else if (decision.kind === 'end') held.ends[decision.reason] += count
  }
  return held
}

interface Asked {
  found: Sql
  position: number
  category: string
  app: SendingRules
  caps: readonly Cap[]
  at: Date
}

/** Looks up each user, which is best for few of many. */
async function readGroups(tx: Transaction, appId: number, asked: Asked): Promise<Group[]> {
  const { found, position, category, app, caps, at } = asked
  return tx.query<Group>(sql`
    select is_control, is_unwilling, zones, is_full, sum(devices)::int as count
    from (
      select f.devices, ${inControlGroup(appId, sql`u.user_id`, app.controlGroup)} as is_control,
        exists (
          select from user_preferences p
          where p.app_id = ${appId} and p.user_no = f.user_no and p.category in ('*', ${category}) and not p.is_wanted
        ) as is_unwilling,
        ${app.quietHours ? zonesOf(appId, sql`f.user_no`) : sql`null::text[]`} as zones,
        coalesce(${isFullOfAny(caps, at)}, false) as is_full
      from (
        select user_no, count(*) as devices from (${found}) f where position = ${position} and is_member group by user_no
      ) f
      join users u on u.app_id = ${appId} and u.user_no = f.user_no
      left join recent_hand_overs r on r.app_id = ${appId} and r.user_no = f.user_no
    ) k
    group by is_control, is_unwilling, zones, is_full`)
}

/**
 * Finds all users of the app of whom something is known, which is best for a large part of them. The groups are the same.
 * By `array`, PostgreSQL finds them once, and not in each of its parallel workers.
 */
async function readBroadGroups(tx: Transaction, appId: number, asked: Asked, zones: UserZones): Promise<Group[]> {
  const { found, position, category, app, caps, at } = asked
  const control = sql`
    select user_no from users u where u.app_id = ${appId} and ${inControlGroup(appId, sql`u.user_id`, app.controlGroup)}`
  const unwilling = sql`
    select distinct user_no from user_preferences
    where app_id = ${appId} and category in ('*', ${category}) and not is_wanted`
  const full = sql`select user_no from recent_hand_overs r where r.app_id = ${appId} and ${isFullOfAny(caps, at)}`
  const rows = await tx.query<Omit<Group, 'zones'> & { zones: string | null; zone: string | null }>(sql`
    select control.user_no is not null as is_control, unwilling.user_no is not null as is_unwilling,
      many.zones, ${app.quietHours ? sql`case when many.user_no is null then f.time_zone end` : sql`null`} as zone,
      capped.user_no is not null as is_full, count(*) as count
    from (${found}) f
    left join unnest(array(${control})) as control(user_no) on control.user_no = f.user_no
    left join unnest(array(${unwilling})) as unwilling(user_no) on unwilling.user_no = f.user_no
    left join unnest(array(${full})) as capped(user_no) on capped.user_no = f.user_no
    left join unnest(${zones.users}::bigint[], ${zones.zones}::text[]) as many(user_no, zones) on many.user_no = f.user_no
    where f.position = ${position} and f.is_member
    group by 1, 2, 3, 4, 5`)
  return rows.map(({ zones: many, zone, ...group }) => ({
    ...group,
    zones: many === null ? (zone === null ? null : [zone]) : JSON.parse(many),
  }))
}

/** Arrays of PostgreSQL as texts: users, and of each the time zones as JSON. */
interface UserZones {
  users: string
  zones: string
}

/** Zones of users whose installations differ in it. Undefined if there are too many such users. */
async function readZonesOfMany(tx: Transaction, appId: number): Promise<UserZones | undefined> {
  const users = await readUsersOfManyZones(tx, appId)
  if (users === undefined) return undefined
  const [row] = await tx.query<{ zones: string }>(sql`
    select coalesce(array_agg(array_to_json(${zonesOf(appId, sql`m.user_no`)})::text order by m.place), '{}')::text as zones
    from unnest(${users}::bigint[]) with ordinality as m(user_no, place)`)
  return { users, zones: row?.zones ?? '{}' }
}

function isFullOfAny(caps: readonly Cap[], at: Date): Sql {
  if (caps.length === 0) return sql`false`
  return sql`(${join(
    caps.map((cap) => isFull(cap, at)),
    ' or ',
  )})`
}

/** Of the user's row `r`. */
function isFull({ count, categories, ...cap }: Cap, at: Date): Sql {
  const since = new Date(at.getTime() - capWindowMs(cap))
  const counted = categories ? sql`and use.category = any(${categories}::text[])` : sql``
  return sql`cardinality(r.times) >= ${count} and (
    select count(*) from unnest(r.times, r.categories) as use(at, category) where use.at > ${since} ${counted}) >= ${count}`
}
