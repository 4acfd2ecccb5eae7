import type { Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { until } from '../helpers/runner/until.ts'
import type { Doubled, Load } from './load.ts'

export interface Fault {
  name: string
  /** Whose hand-overs to clients it interrupts: those of the process at this port, or of all when PostgreSQL is away. */
  hits: { mqttPort: number } | 'database' | undefined
  atMs: number
  /** When everything was as before. */
  endedAtMs: number
  /** How long the slowest message took that was sent meanwhile, in seconds, and how much of that to be accepted. */
  slowest: number
  untilAccepted: number
}

/** What is stored with an acknowledgement is the time at which its commit began. */
const longestCommitMs = 1_000

/** Nothing that was acknowledged is lost, and nothing came twice but what a fault interrupted on its way to a client. */
export async function checkLedger(store: Store, load: Load, faults: readonly Fault[]): Promise<void> {
  expect(load.findMissing()).toEqual([])
  const acknowledgedAt = await readAcknowledgements(store, load)
  const unexplained = load.doubled.filter((doubled) => !isExplained(doubled, acknowledgedAt, faults))
  expect(unexplained).toEqual([])
  expect(new Set(load.counted)).toEqual(new Set([load.clients.length]))

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

/** When it was stored that a client has a message, on the clock of this process. */
async function readAcknowledgements(store: Store, load: Load): Promise<Map<string, number>> {
  const ids = [...new Set(load.doubled.map(({ messageId }) => messageId))]
  const rows = await until(
    () =>
      store.query<{ key: string; at: number }>(sql`
        select r.message_id || '/' || i.id as key, extract(epoch from r.received_at)::float8 * 1000 as at
        from receipts r join installations i using (app_id, installation_no)
        where r.kind = 'delivered' and r.message_id = any (${ids}::uuid[])`),
    (found) => load.doubled.every((doubled) => found.some(({ key }) => key === keyOf(doubled))),
  )
  return new Map(rows.map(({ key, at }) => [key, at - performance.timeOrigin]))
}

/** Whether it had come, and its acknowledgement was not committed, when the process that held the client was hit. */
function isExplained(doubled: Doubled, acknowledgedAt: ReadonlyMap<string, number>, faults: readonly Fault[]): boolean {
  const { firstAtMs, cuts } = doubled
  const committedAtMs = (acknowledgedAt.get(keyOf(doubled)) as number) + longestCommitMs
  return faults.some(({ hits, atMs, endedAtMs }) => {
    if (hits === undefined || committedAtMs < atMs) return false
    if (hits === 'database') return firstAtMs <= endedAtMs
    return cuts.some((cut) => {
      const isByFault = cut.port === hits.mqttPort && cut.atMs >= atMs && cut.atMs <= endedAtMs
      return isByFault && firstAtMs <= cut.atMs
    })
  })
}

function keyOf({ messageId, installationId }: Doubled): string {
  return `${messageId}/${installationId}`
}

export function describeFaults(faults: readonly Fault[], load: Load): string {
  const lines = faults.map(({ name, slowest, untilAccepted }) => {
    const accepted = `${untilAccepted.toFixed(1).padStart(6)} s to be accepted`
    return `  ${name.padEnd(60)} ${slowest.toFixed(1).padStart(6)} s, ${accepted}`
  })
  const messages = `${load.sent.length} messages, ${load.doubled.length} of them received twice`
  const events = `${load.trackedByHttp.length + load.trackedByClients.length} events`
  return ['the slowest message during each fault:', ...lines, `${messages}; ${events}; nothing lost`].join('\n')
}
