import { listApps } from '#features/accounts/apps/list-apps.ts'
import type { Command } from '../command.ts'
import { formatMinute, formatTable, print, printJson } from '../print.ts'
import { withStore } from '../with-store.ts'

export const command: Command = {
  options: { json: { summary: 'print JSON' } },
  examples: ['peyk app list', 'peyk app list --json'],

  async run(input) {
    const apps = await withStore((store, now) => listApps({ store, now }))
    if (input.isOn('json'))
      printJson(apps.map((app) => ({ appId: app.label, name: app.name, createdAt: app.createdAt })))
    else if (apps.length === 0) print('No apps yet: create one with peyk app create <label>.')
    else
      print(
        formatTable(
          ['LABEL', 'NAME', 'CREATED'],
          apps.map((app) => [app.label, app.name, formatMinute(app.createdAt)]),
        ),
      )
    return undefined
  },
}
