import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { type Cluster, openDatabase, withDatabase } from '../measure/cluster.ts'
import { createApp, createToken, findApp, type PeykApp, type PeykDatabase } from '../subjects/peyk.ts'
import { fillDevices } from './devices.ts'
import { fillPeople } from './people.ts'
import { fillTraits } from './traits.ts'
import { withoutIndexes } from './without-indexes.ts'

/** What a database is filled with, on top of what another one has. */
export interface Content {
  name: string
  base?: Content
  fill(connection: PostgresConnection, appId: number): Promise<void>
}

const usersPerInstallation = 0.8

export function people(installations: number): Content {
  const users = installations * usersPerInstallation
  return {
    name: `people_${installations}`,
    fill: (connection, appId) => fillPeople(connection, appId, users, installations),
  }
}

export function peopleWithTraits(installations: number): Content {
  return { name: `people_with_traits_${installations}`, base: people(installations), fill: fillTraits }
}

/** The same, made for millions: tables are filled before they have indexes, and everybody has more tags and counters. */
export function crowd(installations: number): Content {
  return {
    name: `crowd_${installations}`,
    fill: (connection, appId) =>
      withoutIndexes(connection, crowdTables, async () => {
        await fillPeople(connection, appId, installations * usersPerInstallation, installations)
        await fillTraits(connection, appId, true)
      }),
  }
}

const crowdTables = [
  ...['users', 'installations', 'installation_details'],
  ...['user_tags', 'user_attributes', 'installation_attributes', 'event_counters'],
]

export function androidDevices(count: number): Content {
  return {
    name: `android_devices_${count}`,
    fill: (connection, appId) => fillDevices(connection, appId, 'android', count),
  }
}

const templates = new Map<string, Promise<PeykApp>>()

/** A database of its own for a bench. Filling takes long, so it is done once a run, and the benches get copies. */
export async function createFilledDatabase(cluster: Cluster, name: string, content: Content): Promise<PeykDatabase> {
  if (cluster.isKept) return openKept(cluster, content)
  const app = await findTemplate(cluster, content)
  const connection = await cluster.createDatabase(name, content.name)
  return { connection, store: openDatabase(connection, 4), ...app }
}

/** Filled by an earlier run, or now. It has its name only when all is in it. */
async function openKept(cluster: Cluster, content: Content): Promise<PeykDatabase> {
  const kept = await cluster.findDatabase(content.name)
  if (!kept) await makeTemplate(cluster, { ...content, name: `filling_${content.name}` })
  const connection = kept ?? (await cluster.renameDatabase(`filling_${content.name}`, content.name))
  const store = openDatabase(connection, 4)
  const appId = await findApp(store)
  return { connection, store, appId, token: await createToken(store, appId) }
}

function findTemplate(cluster: Cluster, content: Content): Promise<PeykApp> {
  const found = templates.get(content.name) ?? makeTemplate(cluster, content)
  templates.set(content.name, found)
  return found
}

async function makeTemplate(cluster: Cluster, { name, base, fill }: Content): Promise<PeykApp> {
  const baseApp = base && (await findTemplate(cluster, base))
  console.log(`  making ${name.replaceAll('_', ' ')} …`)
  const connection = await cluster.createTemplate(name, base?.name)
  const app = baseApp ?? (await withDatabase(connection, createApp))
  await fill(connection, app.appId)
  return app
}
