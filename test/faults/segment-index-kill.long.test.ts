import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'

/** Two processes, of which the first keeps the index of segments for both. */

const { longWaitMs, timeoutMs } = effort
const installations = 101_000
const service = await prepareService('peyk-index-')
let keeper = 0
service.onLine = (line) => {
  const [, pid] = /"process":1,"pid":(\d+),"msg":"a process serves"/.exec(line) ?? []
  if (pid) keeper = Number(pid)
}

async function fill(store: Store): Promise<void> {
  await store.query(sql`
    insert into installations (app_id, user_no, id, installed_at, launched_at, logged_in_at, created_at, launch_count,
      is_guest, device_type, subscriptions)
    select u.app_id, u.user_no, gen_random_uuid(), now(), now(), now(), now(), 1, false, 'android', '{}'
    from users u cross join generate_series(1, ${installations})`)
}

/** Each on a connection of its own, so that both processes are asked. */
async function count(accessToken: string): Promise<number | undefined> {
  const response = await fetch(`${service.baseUrl}/api/segments/count`, {
    method: 'POST',
    headers: { 'X-Access-Token': accessToken, 'Content-Type': 'application/json', connection: 'close' },
    body: JSON.stringify({ segment: { all: [{ name: 'launchCount', operator: 'greater_than', value: 0 }] } }),
  }).catch(() => undefined)
  return response?.status === 200 ? ((await response.json()) as { count: number }).count : undefined
}

async function countAnswers(by: string, process: number): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
  return Number(
    new RegExp(`^peyk_segment_counts_total\\{by="${by}",process="${process}"\\} (\\d+)$`, 'm').exec(text)?.[1],
  )
}

it(
  'counts are exact before, while and after the process that keeps the index is killed',
  async () => {
    await service.start({ PEYK_MODE: 'production', PEYK_PROCESSES: '2', PEYK_LOG_LEVEL: 'info' })
    const { accessToken } = await service.readDemo()
    const store = openStore((await connectRunningPostgres(service.dataFolder)) as PostgresConnection, { poolSize: 1 })
    onTestFinished(() => store.close())
    await fill(store)
    let expected = installations
    const removeOne = async () => {
      await store.query(sql`update installations set uninstalled_at = now()
        where installation_no = (select min(installation_no) from installations where uninstalled_at is null)`)
      expected--
    }
    /** Until the index has answered a question of each process; every answer on the way is right. */
    const countUntilIndexed = async () => {
      const before = [await countAnswers('index', 1), await countAnswers('index', 2)].map((number) => number || 0)
      await until(
        async () => {
          await removeOne()
          const counted = await count(accessToken)
          if (counted !== undefined) expect(counted).toBe(expected)
          return [await countAnswers('index', 1), await countAnswers('index', 2)]
        },
        (after) => after.every((number, index) => number > (before[index] as number)),
        longWaitMs,
      )
    }
    await countUntilIndexed()
    const killed = keeper
    process.kill(killed, 'SIGKILL')
    await until(
      async () => {
        await removeOne()
        const counted = await count(accessToken)
        if (counted !== undefined) expect(counted).toBe(expected)
        return keeper
      },
      (pid) => pid !== killed,
      longWaitMs,
    )
    await until(
      () => countAnswers('sql', 1),
      (number) => number >= 0,
    )
    await countUntilIndexed()
    expect(await service.end('SIGTERM')).toBe(0)
  },
  timeoutMs,
)
