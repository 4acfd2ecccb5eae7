import { setTimeout as delay } from 'node:timers/promises'
import { roles } from '@peyk/server/base/config.ts'
import { migrate } from '@peyk/server/base/store/migrate.ts'
import { afterAll, expect, it } from 'vitest'
import { endClients } from '../helpers/connection.ts'
import { hasNats, noNats } from '../helpers/programs/nats.ts'
import { addMember, createShop, type Member, openOwnStore, randomFrom, startNats } from './cluster-parts.ts'
import { DatabaseGroup } from './database-group.ts'
import { checkLedger, describeFaults, type Fault } from './ledger.ts'
import { Load } from './load.ts'

const clientCount = Number(process.env.PEYK_CLUSTER_CLIENTS ?? 300)
const randomFaults = Number(process.env.PEYK_CLUSTER_FAULTS ?? 8)
const seed = Number(process.env.PEYK_CLUSTER_SEED ?? Date.now() % 1_000_000)
const awayMs = 3_000
const random = randomFrom(seed)
const databases = await DatabaseGroup.start()
afterAll(endClients)

interface Act {
  name: string
  hits?: Fault['hits']
  run(): Promise<unknown>
}

it(`whatever dies or stands still, nothing that was acknowledged is lost (PEYK_CLUSTER_SEED=${seed})`, async ({
  skip,
}) => {
  skip(!hasNats(), noNats)
  const nats = await startNats()
  const store = openOwnStore(databases.url)
  await migrate(store)
  const { accessToken: token, clientKey } = await createShop(store)
  const env = { PEYK_DATABASE_URL: databases.url, PEYK_NATS_URL: nats.url }
  const counts = { api: 2, connection: 2, worker: 2, index: 1 } as const
  const members: Member[] = []
  for (const role of roles)
    for (let number = 1; number <= counts[role]; number++)
      members.push(await addMember(`${role}-${number}`, env, { role }))
  for (const member of members) await member.start()
  const ofRole = (role: string) => members.filter(({ name }) => name.startsWith(role))
  const load = new Load({
    ...{ app: 'shop', token, clientKey, clientCount, random },
    apis: ofRole('api').map(({ service }) => service.baseUrl),
    mqttPorts: ofRole('connection').map(({ mqttPort }) => mqttPort),
  })
  await load.begin()
  await load.settle()

  const faults: Fault[] = []
  const suffer = async ({ name, hits, run }: Act) => {
    const atMs = performance.now()
    await run()
    await load.settle()
    await delay(1_000)
    await load.settle()
    const { totalMs, untilAcceptedMs } = load.slowestSince(atMs)
    const [slowest, untilAccepted] = [totalMs / 1_000, untilAcceptedMs / 1_000]
    faults.push({ name, hits, atMs, endedAtMs: performance.now(), slowest, untilAccepted })
    console.log(`${name}: ${slowest.toFixed(1)} s, ${untilAccepted.toFixed(1)} s of it to be accepted`)
  }
  const hitsOf = ({ name, mqttPort }: Member) => (name.startsWith('connection') ? { mqttPort } : undefined)
  const kill = (member: Member): Act => ({
    name: `kill -9 of ${member.name}`,
    hits: hitsOf(member),
    run: async () => {
      await member.service.end('SIGKILL')
      await delay(awayMs)
      await member.start()
    },
  })
  const standStill = (member: Member): Act => ({
    name: `${member.name} stands still for 20 s`,
    hits: hitsOf(member),
    run: async () => {
      member.service.signal('SIGSTOP')
      await delay(20_000)
      member.service.signal('SIGCONT')
    },
  })
  const acts: Act[] = [
    ...members.map(kill),
    ...roles.flatMap((role) => ofRole(role).slice(0, 1).map(standStill)),
    {
      name: 'kill -9 of one server of NATS',
      run: async () => {
        await nats.servers[0]?.end('SIGKILL')
        await delay(awayMs)
        await nats.servers[0]?.start()
      },
    },
    {
      name: 'all servers of NATS away for 10 s',
      run: async () => {
        await Promise.all(nats.servers.map((server) => server.end('SIGKILL')))
        await delay(10_000)
        await Promise.all(nats.servers.map((server) => server.start()))
      },
    },
    {
      name: 'kill -9 of the primary of PostgreSQL, which is started again',
      hits: 'database',
      run: () => databases.killPrimary(),
    },
    {
      name: 'fail-over of PostgreSQL to a standby',
      hits: 'database',
      run: async () => {
        await databases.failOver()
        await delay(awayMs)
        await databases.rejoin()
      },
    },
  ]
  await suffer({ name: 'nothing', run: () => delay(5_000) })
  for (const act of acts) await suffer(act)
  for (let count = 0; count < randomFaults; count++) {
    const act = acts[Math.floor(random() * acts.length)] as Act
    await suffer({ ...act, name: `at random: ${act.name}` })
  }

  await load.stop()
  await load.settle()
  await checkLedger(store, load, faults)
  console.log(describeFaults(faults, load))
  expect(faults).toHaveLength(1 + acts.length + randomFaults)
})
