import type { PostgresConnection } from '../../server/src/base/store/embedded/postgres-connection.ts'
import { type Cluster, openDatabase, withDatabase } from '../measure/cluster.ts'
import { createApp, type PeykApp, type PeykDatabase } from '../subjects/peyk.ts'
import { fillDevices } from './devices.ts'
import { fillPeople } from './people.ts'
import { fillTraits } from './traits.ts'

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

export function androidDevices(count: number): Content {
  return {
    name: `android_devices_${count}`,
    fill: (connection, appId) => fillDevices(connection, appId, 'android', count),
  }
}

const templates = new Map<string, Promise<PeykApp>>()

/** A database of its own for a bench. Filling takes long, so it is done once a run, and the benches get copies. */
export async function createFilledDatabase(cluster: Cluster, name: string, content: Content): Promise<PeykDatabase> {
  const app = await findTemplate(cluster, content)
  const connection = await cluster.createDatabase(name, content.name)
  return { connection, store: openDatabase(connection, 4), ...app }
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
