import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { fill } from '../data/fill.ts'
import { findFreePort } from '../measure/process.ts'
import { type Broker, hasMosquitto, startAedes, startMosquitto } from '../subjects/brokers.ts'
import { type PeykDatabase, startPeyk } from '../subjects/peyk.ts'
import type { Gathering, Way } from './crowd.ts'
import type { Login } from './mqtt-client.ts'

/** Something that holds the clients' connections, started. */
export interface Contender {
  pid: number
  /** Of the API, where there is one. */
  url: string | undefined
  gathering: Gathering
  way(payloadBytes: number): Way
  /** Returns when every acknowledgement has had its effect. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export interface Contestant {
  name: string
  start(env?: Record<string, string>): Promise<Contender>
}

export const names = {
  ours: 'Peyk',
  divided: 'Peyk, connections in a process of their own',
  aedes: 'aedes 1.2.0',
  mosquitto: 'mosquitto',
}

export const message = {
  content: 'The autumn sale has begun: up to half off until Sunday.',
  data: { campaign: 'autumn', kind: 'sale' },
  notification: { title: 'Autumn sale', body: 'Up to half off until Sunday', clickUrl: 'https://shop.example/autumn' },
}

const topic = 'app/bench/user/public/default'
const settleMs = 300
const pollMs = 50
const patienceMs = 60_000

export function listContestants(database: PeykDatabase, logins: Login[]): Contestant[] {
  const peers = [
    { name: names.aedes, start: async () => asContender(await startAedes(), logins) },
    { name: names.mosquitto, start: async () => asContender(await startMosquitto(), logins) },
  ]
  const ours = { name: names.ours, start: (env = {}) => startOurs(database, logins, env) }
  return [ours, ...peers.filter(({ name }) => name !== names.mosquitto || hasMosquitto())]
}

function asContender({ pid, port, stop }: Broker, logins: Login[]): Contender {
  return {
    pid,
    url: undefined,
    gathering: { port, logins, topic },
    way: (payloadBytes) => ({ kind: 'publish', topic, payloadBytes }),
    settle: () => sleep(settleMs),
    stop,
  }
}

export async function startOurs(
  database: PeykDatabase,
  logins: Login[],
  env: Record<string, string> = {},
): Promise<Contender> {
  const port = await findFreePort()
  const { pid, url, stop } = await startPeyk(database, { PEYK_MQTT_PORT: String(port), PEYK_LOG_LEVEL: 'warn', ...env })
  const path = `/api/push/byQuery?access_token=${database.token}`
  return {
    pid,
    url,
    gathering: { port, logins },
    way: () => ({ kind: 'post', url, path, body: JSON.stringify({ ...message, target: {} }) }),
    settle: () => waitForInboxes(database),
    stop,
  }
}

/** The API and the connections by roles: one process each. */
export async function startDivided(database: PeykDatabase, logins: Login[]): Promise<Contender> {
  const connections = await startOurs(database, logins, { PEYK_ROLES: 'connection' })
  const api = await startOurs(database, logins, { PEYK_ROLES: 'api,worker,index' })
  return {
    ...connections,
    url: api.url,
    way: api.way,
    stop: async () => {
      await api.stop()
      await connections.stop()
    },
  }
}

/** What is acknowledged is out of the inbox when it is committed. */
async function waitForInboxes({ store, appId }: PeykDatabase): Promise<void> {
  const patienceUntil = performance.now() + patienceMs
  while (performance.now() < patienceUntil) {
    const [row] = await store.query<{ is_left: boolean }>(
      sql`select exists (select from deliveries where app_id = ${appId} and in_inbox) as is_left`,
    )
    if (row?.is_left === false) return
    await sleep(pollMs)
  }
  throw new Error('Acknowledged messages are still in the inbox.')
}

/** Users "client-1" and so on with one installation each that no provider reaches. */
export async function fillClients(database: PeykDatabase, count: number): Promise<Login[]> {
  const { connection, store, appId, token } = database
  await fill(connection, [
    `insert into users (app_id, user_id) select ${appId}, 'client-' || n from generate_series(1::bigint, ${count}) n order by n`,
    `insert into installations (app_id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, id, device_type)
     select ${appId}, user_no, user_no, now(), now(), now(), now(), false, gen_random_uuid(), 'android'
     from users where app_id = ${appId} order by user_no`,
    `insert into installation_details (app_id, installation_no, details)
     select ${appId}, installation_no, '{"deviceModel":"Pixel 9","appVersion":"1.0.0"}' from installations where app_id = ${appId}`,
    'vacuum analyze users',
    'vacuum analyze installations',
    'vacuum analyze installation_details',
  ])
  const rows = await store.query<{ user_id: string; id: string }>(
    sql`select u.user_id, i.id from installations i join users u using (app_id, user_no) where i.app_id = ${appId}`,
  )
  return rows.map((row) => ({ clientId: `bench/${row.user_id}/${row.id}`, key: token }))
}
