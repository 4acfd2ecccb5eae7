import { pino } from 'pino'
import { closestWord } from '#base/closest-word.ts'
import { loadConfig } from '#base/config.ts'
import type { OutwardContext } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { findApp } from '#features/accounts/apps/find-app.ts'
import { listApps } from '#features/accounts/apps/list-apps.ts'
import { openExternal } from './open-external.ts'
import { withStore } from './with-store.ts'

/** For the commands that concern one app, named by --app. */
export function withApp<T>(label: string, work: (ctx: OutwardContext) => Promise<T>): Promise<T> {
  return withStore(async (store, now) => {
    const accounts = { store, now }
    const app = await findApp(accounts, { label })
    const external = await openExternal(loadConfig())
    if (app)
      return work({ ...accounts, app: { id: app.id, label: app.label }, log: pino({ level: 'silent' }), external })
    const labels = (await listApps(accounts)).map((known) => known.label)
    throw new RequestError('not-found', `There is no app "${label}"${hint(label, labels)}`)
  })
}

function hint(label: string, labels: string[]): string {
  if (labels.length === 0) return ', nor any other: create one with peyk app create.'
  const meant = closestWord(label, labels)
  return meant ? `; did you mean "${meant}"?` : '; see peyk app list.'
}
