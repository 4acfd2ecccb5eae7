import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, it } from 'vitest'
import { endClients } from '../helpers/connection.ts'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { addMember, createShop, type Member, openOwnStore, randomFrom } from './cluster-parts.ts'
import { DatabaseGroup } from './database-group.ts'
import { checkLedger, describeFaults, type Fault } from './ledger.ts'
import { Load } from './load.ts'

const root = join(import.meta.dirname, '../..')
/** The version that is replaced. */
const from = process.env.PEYK_CLUSTER_FROM ?? 'origin/HEAD'
const clientCount = 60
const databases = await DatabaseGroup.start()
const earlier = await checkOut(from)
afterAll(endClients)

/** The code of then, with the packages of now. */
async function checkOut(ref: string): Promise<string> {
  const folder = join(await makeGuardedFolder('peyk-earlier-'), 'code')
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, stdio: 'pipe' })
  try {
    git('rev-parse', '--verify', `${ref}^{commit}`)
  } catch {
    throw new Error(`There is no ${ref} here: name the commit or tag that is to be replaced in PEYK_CLUSTER_FROM.`)
  }
  git('worktree', 'add', '--detach', folder, ref)
  afterAll(() => {
    git('worktree', 'remove', '--force', folder)
    rmSync(folder, { recursive: true, force: true })
  })
  execFileSync('cp', ['-a', join(root, 'node_modules'), folder])
  return folder
}

it(`processes of ${from} are replaced one after the other, and nothing that was acknowledged is lost`, async () => {
  const env = { PEYK_DATABASE_URL: databases.url }
  const old = [await addMember('old-1', env, { root: earlier }), await addMember('old-2', env, { root: earlier })]
  // They make the tables, as they were then.
  for (const member of old) await member.start()
  const store = openOwnStore(databases.url)
  const { accessToken: token, clientKey } = await createShop(store)
  const load = new Load({
    ...{ app: 'shop', token, clientKey, clientCount, random: randomFrom(1) },
    apis: old.map(({ service }) => service.baseUrl),
    mqttPorts: old.map(({ mqttPort }) => mqttPort),
  })
  await load.begin()
  await load.settle()

  const faults: Fault[] = []
  for (const member of old) {
    const atMs = performance.now()
    await replace(member, env)
    await load.settle()
    const { totalMs, untilAcceptedMs } = load.slowestSince(atMs)
    const hits = { mqttPort: member.mqttPort }
    const [slowest, untilAccepted] = [totalMs / 1_000, untilAcceptedMs / 1_000]
    faults.push({
      name: `${member.name} is replaced`,
      hits,
      atMs,
      endedAtMs: performance.now(),
      slowest,
      untilAccepted,
    })
  }
  await load.stop()
  await load.settle()
  await checkLedger(store, load, faults)
  console.log(describeFaults(faults, load))
})

/** At the same ports, where the load balancer expects it. */
async function replace({ name, service, mqttPort }: Member, env: Record<string, string>): Promise<void> {
  await service.end('SIGTERM')
  const settings = { ...env, PEYK_MQTT_PORT: String(mqttPort) }
  const member = await addMember(name.replace('old', 'new'), settings, { port: service.port })
  await member.start()
}
