import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Config, InspectedConfig } from '#base/config.ts'
import { type External, realEndpoints } from '#base/external.ts'
import { createSecretBox } from '#base/secrets/secret-box.ts'
import { findDatabaseFolder, pgdataOf } from '#base/store/embedded/database-home.ts'
import type { Store } from '#base/store/store.ts'
import { listApps } from '#features/accounts/apps/list-apps.ts'
import { describeFailure } from '../failure.ts'
import { type OpenStore, openCommandStore } from '../with-store.ts'
import { checkBackups } from './check-backups.ts'
import { checkClock } from './check-clock.ts'
import { checkCollector } from './check-collector.ts'
import { checkConfig } from './check-config.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkNats } from './check-nats.ts'
import { checkPort } from './check-port.ts'
import { checkProviders } from './check-providers.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkApp, checkSending } from './check-sending.ts'
import { checkWebhooks } from './check-webhooks.ts'
import { type Area, type Finding, type FindingOfArea, fault, ok, unseen } from './finding.ts'

type Report = (area: Area, findings: readonly Finding[]) => void

/** Looks at everything, in the order in which one thing stands on the other. Changes nothing. */
export async function examine(inspected: InspectedConfig, machineNow: () => Date): Promise<FindingOfArea[]> {
  const { config } = inspected
  const found: FindingOfArea[] = []
  const report: Report = (area, findings) => found.push(...findings.map((finding) => ({ area, ...finding })))
  report('config', await checkConfig(inspected, machineNow()))
  report('disk', await checkDisk(config))
  report('service', await checkPort(config))
  report('service', await checkNats(config))
  report('service', await checkCollector(config))
  const isNamed = !inspected.faults.some(({ variables }) => variables.includes('PEYK_DATABASE_URL'))
  if (isNamed) await examineDatabase(config, report, machineNow)
  else await skipDatabase(config, report, 'PEYK_DATABASE_URL cannot be read.')
  return found
}

async function examineDatabase(config: Config, report: Report, machineNow: () => Date): Promise<void> {
  if (!(await hasDatabase(config))) return skipDatabase(config, report, 'There is none yet: the first start makes it.')
  let opened: OpenStore
  try {
    opened = await openCommandStore(config)
  } catch (error) {
    const advice = config.databaseUrl
      ? 'See that PostgreSQL runs, that this machine reaches it, and that role and password are right.'
      : `See postgres.log in ${config.dataFolder}, and run this as the user that the service runs as.`
    report('database', [fault('unreachable', describeFailure(error).message, advice)])
    return skipRest(config, report)
  }
  try {
    await examineStore(opened.store, config, report, machineNow)
  } catch (error) {
    report('database', [
      fault('question-failed', describeFailure(error).message, 'What comes after this was not looked at.'),
    ])
  } finally {
    await opened.close()
  }
}

async function examineStore(store: Store, config: Config, report: Report, machineNow: () => Date): Promise<void> {
  const { findings, isCurrent, isUsed } = await checkDatabase(store, config)
  report('database', findings)
  if (!isCurrent) return skipRest(config, report)
  const { findings: ofClock, now } = await checkClock(store, config, machineNow)
  report('clock', ofClock)
  const { findings: ofSecrets, keys } = await checkSecrets(store, config)
  report('secrets', ofSecrets)
  const external = openKeys(config, keys)
  const apps = await listApps({ store, now })
  if (apps.length === 0) report('providers', [ok('no-apps', 'there are no apps yet: peyk app create <label>')])
  report('sending', await checkSending({ store }, { isUsed }))
  const webhooks: Finding[] = []
  for (const app of apps) {
    const ctx = { app, store, now, external, log: pino({ level: 'silent' }) }
    report('providers', await checkProviders(ctx, { mayBeSimulated: config.mode === 'development' }))
    webhooks.push(...(await checkWebhooks(ctx)))
    report('sending', await checkApp(ctx))
  }
  report('webhooks', webhooks.length > 0 ? webhooks : [ok('no-webhooks', 'none')])
  report('backups', await checkBackups(store, config, now()))
}

/**
 * With no key at all, one that opens nothing stands in. No provider is called: that there is an address of the simulator
 * only says that its credentials count here.
 */
function openKeys({ webPushHosts, mode }: Config, keys: readonly Buffer[]): External {
  const secretBox = createSecretBox(keys.length > 0 ? keys : [randomBytes(32)])
  return { secretBox, real: realEndpoints, ...(mode === 'development' && { simulated: realEndpoints }), webPushHosts }
}

async function hasDatabase({ databaseUrl, dataFolder }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return true
  const folder = await findDatabaseFolder(dataFolder).catch(() => dataFolder)
  return access(join(pgdataOf(folder), 'PG_VERSION')).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  )
}

function skipDatabase(config: Config, report: Report, why: string): Promise<void> {
  report('database', [unseen('no-database', why)])
  return skipRest(config, report)
}

async function skipRest(config: Config, report: Report): Promise<void> {
  report('secrets', (await checkSecrets(undefined, config)).findings)
  const rest = ['clock', 'providers', 'webhooks', 'sending', 'backups'] as const
  for (const area of rest)
    report(area, [unseen('no-database', 'Not looked at: this needs the tables of the database.')])
}
