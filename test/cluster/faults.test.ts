import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { migrate } from '../../server/src/base/store/migrate.ts'
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

type Act = () => Promise<void>

it(`whatever dies or stands still, nothing that was acknowledged is lost (PEYK_CLUSTER_SEED=${seed})`, async ({
  skip,
}) => {
  skip(!hasNats(), noNats)
  const nats = await startNats()
  const store = openOwnStore(databases.url)
  await migrate(store)
  const { accessToken: token, clientKey } = await createShop(store)
  const env = { PEYK_DATABASE_URL: databases.url, PEYK_NATS_URL: nats.url }
  const roles = ['api', 'connection', 'worker'] as const
  const members: Member[] = []
  for (const role of roles)
    for (const number of [1, 2]) members.push(await addMember(`${role}-${number}`, env, { role }))
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
  const suffer = async (name: string, act: Act) => {
    const atMs = performance.now()
    await act()
    await load.settle()
    await delay(1_000)
    await load.settle()
    const fault = { name, atMs, endedAtMs: performance.now(), slowest: load.slowestSince(atMs) / 1_000 }
    faults.push(fault)
    console.log(`${name}: ${fault.slowest.toFixed(1)} s`)
  }
  const kill = (member: Member) => async () => {
    await member.service.end('SIGKILL')
    await delay(awayMs)
    await member.start()
  }
  const standStill = (member: Member) => async () => {
    member.service.signal('SIGSTOP')
    await delay(20_000)
    member.service.signal('SIGCONT')
  }
  const acts: [string, Act][] = [
    ['nothing', () => delay(5_000)],
    ...members.map((member): [string, Act] => [`kill -9 of ${member.name}`, kill(member)]),
    ...roles.map((role): [string, Act] => {
      const [member] = ofRole(role) as [Member]
      return [`${member.name} stands still for 20 s`, standStill(member)]
    }),
    [
      'kill -9 of one server of NATS',
      async () => {
        await nats.servers[0]?.end('SIGKILL')
        await delay(awayMs)
        await nats.servers[0]?.start()
      },
    ],
    [
      'all servers of NATS away for 10 s',
      async () => {
        await Promise.all(nats.servers.map((server) => server.end('SIGKILL')))
        await delay(10_000)
        await Promise.all(nats.servers.map((server) => server.start()))
      },
    ],
    ['kill -9 of the primary of PostgreSQL, which is started again', () => databases.killPrimary()],
    [
      'fail-over of PostgreSQL to a standby',
      async () => {
        await databases.failOver()
        await delay(awayMs)
        await databases.rejoin()
      },
    ],
  ]
  for (const [name, act] of acts) await suffer(name, act)
  for (let count = 0; count < randomFaults; count++) {
    const [name, act] = acts[1 + Math.floor(random() * (acts.length - 1))] as [string, Act]
    await suffer(`at random: ${name}`, act)
  }

  await load.stop()
  await load.settle()
  await checkLedger(store, load, faults)
  console.log(describeFaults(faults, load))
  expect(faults).toHaveLength(acts.length + randomFaults)
})
