import type { DeliveryState } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import { counterSlot } from '#base/counter-slot.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { PlacedDelivery } from './delivery-places-store.ts'
import type { DeliveryPlace } from './delivery-transitions.ts'

/** A delivery that is somewhere else than before; new when it was nowhere. */
export interface DayChange {
  was: DeliveryPlace | undefined
  now: PlacedDelivery
}

/** So many deliveries of an app that came equally far on a platform. */
export interface DayStep {
  appId: number
  at: Date
  /** Null: that of this installation, which is looked up. */
  platform: string | null
  installationNo: number
  from: number
  to: number
  count: number
}

/** How far it is known to have come: 1 sent, 2 delivered, 3 shown, 4 opened or acted upon. */
export const levels: Record<DeliveryState, number> = {
  queued: 0,
  ended: 0,
  sent: 1,
  delivered: 2,
  shown: 3,
  dismissed: 3,
  opened: 4,
  acted: 4,
}

function levelOf(place: DeliveryPlace | undefined): number {
  return place ? Math.max(levels[place.state], place.sentAt ? 1 : 0) : 0
}

/** Where every installation that a provider serves is of one platform. Others are looked up. */
export const platformOfProvider = new Map([
  ['apns', 'ios'],
  ['webpush', 'web'],
])

/** Whether it would count for a day, were it new. */
export function hasCome(place: DeliveryPlace): boolean {
  return levelOf(place) > 0
}

const platforms = new Set(['android', 'ios', 'web'])

export function platformOfDevice(deviceType: string): string {
  return platforms.has(deviceType) ? deviceType : 'other'
}

/**
 * Adds to the counts of the day how far deliveries came; what is skipped was passed. Each delivery counts once for each
 * step. Locks after the counters of messages: see advanceDeliveries.
 */
export async function countDeliveryDays(tx: Transaction, changes: readonly DayChange[]): Promise<void> {
  const steps: DayStep[] = []
  for (const { was, now } of changes) {
    const [from, to] = [levelOf(was), levelOf(now)]
    if (from >= to) continue
    // That it was sent may be noted of what stays as it is.
    const at = was?.state === now.state && now.sentAt ? now.sentAt : now.at
    const { appId, installationNo, provider = '' } = now
    const platform = now.platform ?? platformOfProvider.get(provider) ?? null
    const last = steps.at(-1)
    // Most are like the one before.
    if (platform !== null && last && isSameDay(last, { appId, at, platform, from, to })) last.count++
    else steps.push({ appId, installationNo, at, from, to, platform, count: 1 })
  }
  await addToDays(tx, steps)
}

const dayMs = 86_400_000

function isSameDay(one: Omit<DayStep, 'count' | 'installationNo'>, other: Omit<DayStep, 'count' | 'installationNo'>) {
  return (
    one.platform === other.platform &&
    one.to === other.to &&
    one.from === other.from &&
    one.appId === other.appId &&
    Math.floor(one.at.getTime() / dayMs) === Math.floor(other.at.getTime() / dayMs)
  )
}

export async function addToDays(tx: Transaction, steps: readonly DayStep[]): Promise<void> {
  if (steps.length === 0) return
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  const rows = sql`(
    select app_id, installation_no, platform, to_timestamp(at / 1000) as at, passed, reached, count
    from ${unnestRows(steps, 's', {
      app_id: ['int', (step) => step.appId],
      installation_no: ['bigint', (step) => step.installationNo],
      platform: ['text', (step) => step.platform],
      at: ['float8', (step) => step.at.getTime()],
      passed: ['int', (step) => step.from],
      reached: ['int', (step) => step.to],
      count: ['int', (step) => step.count],
    })})`
  await tx.query(addDaySteps(rows, counterSlot(total)), 'count-delivery-days')
}

/** The same for rows of (app_id, installation_no, platform, at, passed, reached, count), as a part of a statement. */
export function addDaySteps(steps: Sql, slot: number): Sql {
  return sql`
      insert into delivery_days as d (app_id, day, platform, slot, sent, delivered, shown, opened)
      select k.app_id, (k.at at time zone 'UTC')::date,
        coalesce(k.platform, case when i.device_type in ('android', 'ios', 'web') then i.device_type else 'other' end) collate "C",
        ${slot}::smallint, coalesce(sum(k.count) filter (where passed < 1 and reached >= 1), 0), coalesce(sum(k.count) filter (where passed < 2 and reached >= 2), 0),
        coalesce(sum(k.count) filter (where passed < 3 and reached >= 3), 0), coalesce(sum(k.count) filter (where passed < 4 and reached >= 4), 0)
      from ${steps} k
      left join lateral (
        select device_type from installations
        where app_id = k.app_id and installation_no = k.installation_no and k.platform is null offset 0
      ) i on true
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (app_id, day, platform, slot) do update
      set sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered, shown = d.shown + excluded.shown,
        opened = d.opened + excluded.opened`
}
