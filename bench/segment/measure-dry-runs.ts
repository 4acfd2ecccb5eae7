import { raw } from 'sql-template-tag'
import { chance, pick } from '../data/random.ts'
import type { Cluster } from '../measure/cluster.ts'
import type { RunningProcess } from '../measure/process.ts'
import { measureQuietly } from '../measure/quiet.ts'
import { median } from '../measure/rounds.ts'
import { readUsage } from '../measure/usage.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { type DryRunShape, dryRunCategory, dryRunShapes, dryRunTrackId } from './dry-run-shapes.ts'

const codes = 1_000_000
/** More than the service computes at once and lets wait. */
const atOnce = 10

export interface DryRunResult {
  name: string
  count: number
  ms: number
  /** Processor time of all of PostgreSQL's processes, and of the service's. */
  postgresMs: number
  serviceMs: number
  othersCores: number
}

export interface CrowdedResult {
  answered: number
  refused: number
  /** Until the last of them was answered or refused. */
  ms: number
}

/** What plans read beyond installations: preferences, caps, quiet hours, and codes. What is there stays as it is. */
export async function prepareDryRuns({ store, appId }: PeykDatabase): Promise<void> {
  const settings = {
    quietHours: { from: '22:00', to: '08:00' },
    caps: [{ count: 2, window: '24h' }],
    controlGroup: 5,
  }
  const users = `(select user_no from users where app_id = ${appId}) u`
  for (const statement of [
    'set statement_timeout = 0',
    `update apps set settings = settings || '${JSON.stringify(settings)}' where app_id = ${appId}`,
    `insert into categories (app_id, id, name, created_at) values (${appId}, '${dryRunCategory}', '{"en":"Bench"}', now()) on conflict do nothing`,
    `insert into user_preferences (app_id, user_no, category, is_wanted, changed_at)
     select ${appId}, user_no, '${dryRunCategory}', false, now() from ${users} where ${chance('user_no', 70)} < 0.05 on conflict do nothing`,
    `insert into recent_hand_overs (app_id, user_no, message_ids, categories, times)
     select ${appId}, user_no, array_fill(gen_random_uuid(), array[uses]), array_fill('${dryRunCategory}'::text, array[uses]),
       array_fill(now() - interval '1 hour', array[uses])
     from ${users} cross join lateral (select 1 + ${pick('user_no', 71, 2)}::int as uses) used
     where ${chance('user_no', 72)} < 0.3 on conflict do nothing`,
    `insert into campaigns (app_id, track_id, name) values (${appId}, '${dryRunTrackId}', 'Bench') on conflict do nothing`,
    `insert into promo_sets (app_id, set_id, track_id, state, codes)
     select ${appId}, gen_random_uuid(), '${dryRunTrackId}', 'active', ${codes}
     where not exists (select from promo_sets where app_id = ${appId} and track_id = '${dryRunTrackId}')`,
    `insert into promo_codes (app_id, set_no, code)
     select ${appId}, set_no, 'BENCH-' || lpad(n::text, 8, '0') from promo_sets, generate_series(1, ${codes}) n
     where app_id = ${appId} and track_id = '${dryRunTrackId}' on conflict do nothing`,
    ...['user_preferences', 'recent_hand_overs', 'promo_codes'].map((table) => `vacuum analyze ${table}`),
  ])
    await store.query(raw(statement))
}

/** Each shape alone: its time, and what of it is work of PostgreSQL. */
export async function measureDryRuns(
  peyk: RunningProcess,
  database: PeykDatabase,
  { cluster, rounds }: { cluster: Pick<Cluster, 'pid'>; rounds: number },
): Promise<DryRunResult[]> {
  const results: DryRunResult[] = []
  for (const shape of dryRunShapes) {
    await ask(peyk, database, shape)
    const measured: Omit<DryRunResult, 'name'>[] = []
    for (let round = 0; round < rounds; round++) {
      const { figure, othersCores } = await measureQuietly(async () => {
        const before = [readUsage(cluster.pid), readUsage(peyk.pid)]
        const askedMs = performance.now()
        const { count } = await ask(peyk, database, shape)
        const ms = performance.now() - askedMs
        const after = [readUsage(cluster.pid), readUsage(peyk.pid)]
        const used = (index: number) => (after[index]?.cpuMs ?? Number.NaN) - (before[index]?.cpuMs ?? Number.NaN)
        return { count, ms, postgresMs: used(0), serviceMs: used(1) }
      })
      measured.push({ ...figure, othersCores: othersCores ?? Number.NaN })
    }
    const middle = (field: Exclude<keyof DryRunResult, 'name'>) => median(measured.map((one) => one[field]))
    const result = {
      name: shape.name,
      count: middle('count'),
      ms: middle('ms'),
      postgresMs: middle('postgresMs'),
      serviceMs: middle('serviceMs'),
      othersCores: middle('othersCores'),
    }
    results.push(result)
    console.log(
      `  a dry run ${result.name}: ${result.ms.toFixed(0)} ms, ${result.postgresMs.toFixed(0)} ms of PostgreSQL's processor time`,
    )
  }
  return results
}

/** Ten to everybody at the same moment. */
export async function measureCrowdedDryRuns(peyk: RunningProcess, database: PeykDatabase): Promise<CrowdedResult> {
  const shape = dryRunShapes[0] as DryRunShape
  const askedMs = performance.now()
  const statuses = await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const response = await send(peyk, database, shape)
      await response.arrayBuffer()
      return response.status
    }),
  )
  const ms = performance.now() - askedMs
  const withStatus = (wanted: number) => statuses.filter((status) => status === wanted).length
  const [answered, refused] = [withStatus(200), withStatus(503)]
  if (answered + refused < atOnce) throw new Error(`Dry runs were answered with ${statuses}.`)
  return { answered, refused, ms }
}

async function ask(peyk: RunningProcess, database: PeykDatabase, shape: DryRunShape): Promise<{ count: number }> {
  const response = await send(peyk, database, shape)
  if (response.status !== 200) throw new Error(`The dry run "${shape.name}" was refused: ${await response.text()}`)
  return (await response.json()) as { count: number }
}

function send(peyk: RunningProcess, { token }: PeykDatabase, { message }: DryRunShape): Promise<Response> {
  return fetch(`${peyk.url}/api/push/byQuery?dryRun=true`, {
    method: 'POST',
    headers: { 'X-Access-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify(message(new Date())),
  })
}
