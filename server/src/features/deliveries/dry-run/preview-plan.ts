import type { HourCount } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { getAppZone } from '../../accounts/apps/get-app-zone.ts'
import type { LocalTime } from '../../messages/local-time/local-time.ts'
import type { When } from '../../messages/schedule/read-when.ts'
import { clockEverybody, readUserClocks, readUsersOfManyZones } from '../local-time/user-clocks.ts'
import { groupByReach, type ReachGroup } from './preview-audience.ts'

/** When how many installations of a message that goes later would get it. */
export interface Plan {
  hours: HourCount[]
  /** Installations left out because their local time has passed. */
  skipped: number
}

/** The installations of a message with a local time. */
export interface Timed {
  /** By their moments, too. */
  groups: ReachGroup[]
  /** The statement that finds those who are not left out. */
  going: Sql
}

export interface ToTime {
  /** As in preview-audience.ts; of these, those of the position. */
  found: Sql
  position: number
  /** Whether they may be a large part of the app. */
  isBroad: boolean
  byLanguage: boolean
}

export type WithLocalTime = When & { localTime: LocalTime }

const HOUR = 3_600_000
const mostHours = 100

export async function readTimed(
  ctx: Context & { tx: Transaction },
  { found, position, isBroad, byLanguage }: ToTime,
  { dueAt, localTime }: WithLocalTime,
): Promise<Timed> {
  const own = sql`select * from (${found}) f where f.position = ${position}`
  const zone = localTime.zone ?? (await getAppZone(ctx.tx, ctx.app.id))
  const clocks = { localTime: { ...localTime, zone }, dueAt }
  const ofManyZones = isBroad ? await readUsersOfManyZones(ctx.tx, ctx.app.id) : undefined
  const timed = ofManyZones
    ? await clockEverybody(ctx.tx, ctx.app.id, { found: own, ofManyZones }, clocks)
    : await clockUsers(ctx.tx, ctx.app.id, own, clocks)
  return {
    groups: await groupByReach(ctx.tx, ctx.app.id, timed, { byLanguage, byMoment: true }),
    going: sql`select * from (${timed}) t where not is_member or at is not null`,
  }
}

async function clockUsers(
  tx: Transaction,
  appId: number,
  found: Sql,
  clocks: { localTime: LocalTime & { zone: string }; dueAt: Date },
): Promise<Sql> {
  const users = sql`select distinct user_no from (${found}) u where u.is_member`
  const { known, otherwise } = await readUserClocks(tx, appId, users, clocks)
  return sql`
    select f.*, case when c.user_no is null then ${otherwise}::timestamptz else c.at end as at
    from (${found}) f left join (${known}) c on c.user_no = f.user_no`
}

export function planMoment(dueAt: Date, count: number): Plan {
  return { hours: count > 0 ? [{ at: startOfHour(dueAt), count }] : [], skipped: 0 }
}

/** Of UTC. */
function startOfHour(moment: Date): number {
  return Math.floor(moment.getTime() / HOUR) * HOUR
}

export function planHours({ groups }: Timed): Plan {
  const counts = new Map<number | undefined, number>()
  for (const { moment, is_member, count } of groups) {
    const at = moment ? startOfHour(moment) : undefined
    if (is_member) counts.set(at, (counts.get(at) ?? 0) + count)
  }
  const hours = [...counts].flatMap(([at, count]) => (at === undefined ? [] : [{ at, count }]))
  return { hours: hours.sort((a, b) => a.at - b.at).slice(0, mostHours), skipped: counts.get(undefined) ?? 0 }
}

/** Groups that differ in their moments alone are one. */
export function mergeMoments(groups: readonly ReachGroup[]): ReachGroup[] {
  const merged = new Map<string, ReachGroup>()
  for (const { count, first_no, last_no, ...group } of groups) {
    const alike = { ...group, moment: null }
    const key = JSON.stringify(alike)
    const known = merged.get(key)
    merged.set(key, {
      ...alike,
      count: count + (known?.count ?? 0),
      first_no: Math.min(first_no, known?.first_no ?? first_no),
      last_no: Math.max(last_no, known?.last_no ?? last_no),
    })
  }
  return [...merged.values()]
}
