import { setTimeout as sleep } from 'node:timers/promises'
import type { DryRun } from '@peyk/contract'
import sql from 'sql-template-tag'
import { languageOfSome } from '../data/devices.ts'
import type { RunningProcess } from '../measure/process.ts'
import type { Throughput } from '../measure/throughput.ts'
import { cpuBetween, readUsage, watchMemory } from '../measure/usage.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { callPeyk } from '../subjects/sending-peyk.ts'

export type DeviceType = 'android' | 'web'

const message = {
  content: 'The autumn sale has begun: up to half off until Sunday.',
  data: { campaign: 'autumn', kind: 'sale' },
  notification: {
    title: 'Autumn sale',
    body: 'Up to half off until Sunday',
    clickUrl: 'https://shop.example/autumn',
    icon: 'https://shop.example/icon.png',
    actions: [{ id: 'open', title: 'Look' }],
  },
}

const pollMs = 50
const patienceMs = 60_000
const patienceMsEach = 2

interface Accepted {
  id: string
  count: number
}

/** One message to all installations of a kind; `more` of it than the usual one says. */
export function sendToAll(
  peyk: RunningProcess,
  database: PeykDatabase,
  databasePid: number,
  deviceType: DeviceType,
  more: object = {},
): Promise<Throughput> {
  return send(peyk, database, databasePid, { ...more, target: { deviceType } })
}

/** To one in ten of them: after that, code is compiled and connections are there. */
export function sendToSome(
  peyk: RunningProcess,
  database: PeykDatabase,
  databasePid: number,
  deviceType: DeviceType,
): Promise<Throughput> {
  return send(peyk, database, databasePid, { target: { deviceType, language: languageOfSome } })
}

/** One `byQuery`, from its acceptance to `finished_at`: the last outcome is stored by then. */
async function send(
  peyk: RunningProcess,
  database: PeykDatabase,
  databasePid: number,
  more: object,
): Promise<Throughput> {
  const memory = watchMemory(peyk.pid)
  const before = readUsage(peyk.pid)
  const databaseBefore = readUsage(databasePid)
  const body = { ...message, ...more }
  const accepted = await callPeyk<Accepted>(peyk, database, 'POST', '/api/push/byQuery', body)
  const seconds = await waitForEnd(database, accepted)
  const after = readUsage(peyk.pid)
  const databaseAfter = readUsage(databasePid)
  const rssMb = memory.end()
  await checkSent(database, accepted)
  return {
    perSecond: accepted.count / seconds,
    cpuMicros: cpuBetween(before, after, accepted.count),
    databaseCpuMicros: cpuBetween(databaseBefore, databaseAfter, accepted.count),
    rssMb,
  }
}

/** What the provider is given for one installation, as the service itself writes it. */
export async function samplePayload(
  peyk: RunningProcess,
  database: PeykDatabase,
  deviceType: DeviceType,
): Promise<Record<string, unknown>> {
  const body = { ...message, target: { deviceType } }
  const { samples } = await callPeyk<DryRun>(peyk, database, 'POST', '/api/push/byQuery?dryRun=true', body)
  return samples[0]?.payload as Record<string, unknown>
}

async function waitForEnd({ store, appId }: PeykDatabase, { id, count }: Accepted): Promise<number> {
  const patienceUntil = performance.now() + patienceMs + count * patienceMsEach
  while (performance.now() < patienceUntil) {
    const [row] = await store.query<{ seconds: number | null }>(
      sql`select extract(epoch from finished_at - accepted_at)::float8 as seconds from messages where app_id = ${appId} and id = ${id}`,
    )
    if (typeof row?.seconds === 'number') return row.seconds
    await sleep(pollMs)
  }
  const attempts = await store.query(sql`select outcome, detail, count(*) from delivery_attempts group by 1, 2`)
  throw new Error(`The message to ${count} was not finished in time. What was answered: ${JSON.stringify(attempts)}`)
}

async function checkSent({ store, appId }: PeykDatabase, { id, count }: Accepted): Promise<void> {
  const [row] = await store.query<{ sent: number }>(
    sql`select count(*)::int as sent from deliveries where app_id = ${appId} and message_id = ${id} and state = 'sent'`,
  )
  if (row?.sent !== count) throw new Error(`${count} deliveries were promised, but ${row?.sent} are stored as sent.`)
}
