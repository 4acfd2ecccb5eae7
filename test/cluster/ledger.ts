import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Store } from '../../server/src/base/store/store.ts'
import { until } from '../helpers/runner/until.ts'
import type { Load } from './load.ts'

export interface Fault {
  name: string
  atMs: number
  /** When everything was as before. */
  endedAtMs: number
  /** How long the slowest message took that was sent meanwhile, in seconds. */
  slowest: number
}

/** What was acknowledged shortly before a process died may not be committed yet. */
const inFlightMs = 3_000

/** Nothing that was acknowledged is lost, and nothing came twice but what was in flight during a fault. */
export async function checkLedger(store: Store, load: Load, faults: readonly Fault[]): Promise<void> {
  expect(load.findMissing()).toEqual([])
  const isInFlight = (at: number) => faults.some(({ atMs, endedAtMs }) => at >= atMs - inFlightMs && at <= endedAtMs)
  expect(load.doubled.filter((at) => !isInFlight(at))).toEqual([])

  const ids = load.sent.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const count = load.sent.reduce((sum, { to }) => sum + to.length, 0)
  await until(
    () =>
      store.query<{ state: string; count: number }>(
        sql`select state, count(*) as count from deliveries where message_id = any (${ids}::uuid[]) group by 1`,
      ),
    (rows) => rows.length === 1 && rows[0]?.state === 'delivered' && rows[0].count === count,
  )
  const [messages] = await store.query<{ count: number }>(sql`select count(*) as count from messages`)
  expect(messages?.count).toBe(ids.length)

  const [byHttp] = await store.query<{ count: number }>(sql`select count(*) as count from events where name = 'byHttp'`)
  expect(byHttp?.count).toBe(load.trackedByHttp.length)
  const stored = await store.query<{ event_id: string }>(
    sql`select event_id from event_ids where event_id like 'user-%'`,
  )
  const known = new Set(stored.map((row) => row.event_id))
  expect(load.trackedByClients.filter((id) => !known.has(id))).toEqual([])
  const [byClients] = await store.query<{ count: number }>(
    sql`select count(*) as count from events where name = 'step'`,
  )
  expect(byClients?.count).toBe(known.size)
}

export function describeFaults(faults: readonly Fault[], load: Load): string {
  const lines = faults.map(({ name, slowest }) => `  ${name.padEnd(48)} ${slowest.toFixed(1).padStart(6)} s`)
  const messages = `${load.sent.length} messages, ${load.doubled.length} of them received twice`
  const events = `${load.trackedByHttp.length + load.trackedByClients.length} events`
  return ['the slowest message during each fault:', ...lines, `${messages}; ${events}; nothing lost`].join('\n')
}
