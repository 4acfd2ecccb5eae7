import { listApps } from '#features/accounts/apps/list-apps.ts'
import { readUsage } from '#features/statistics/usage/read-usage.ts'
import { type Command, UsageError } from '../command.ts'
import { print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'
import { withStore } from '../with-store.ts'
import { describeAllUsage, describeUsage } from './describe-usage.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'one app, with its days (default: a line for each app)' },
    month: { value: 'month', summary: 'a month such as 2026-11 (default: this one), in UTC' },
    json: { summary: 'print JSON' },
  },
  notes: `A send to a segment of 1,000 devices is one message and 1,000 deliveries. Rows are counted; their size is estimated.
What was just used is shown after some seconds.`,
  examples: ['peyk app usage', 'peyk app usage --app shop', 'peyk app usage --app shop --month 2026-11 --json'],

  async run(input) {
    const query = readMonth(input.text('month'))
    const label = input.text('app')
    if (label !== undefined) {
      const usage = await withApp(label, (ctx) => readUsage(ctx, query))
      if (input.isOn('json')) printJson(usage)
      else print(describeUsage(label, usage))
      return undefined
    }
    const apps = await withStore(async (store, now) => {
      const found = []
      for (const app of await listApps({ store, now }))
        found.push({ label: app.label, usage: await readUsage({ store, now, app }, query) })
      return found
    })
    if (input.isOn('json')) printJson(apps.map(({ label: appId, usage }) => ({ appId, ...usage })))
    else if (apps.length === 0) print('No apps yet: create one with peyk app create <label>.')
    else print(describeAllUsage(apps))
    return undefined
  },
}

function readMonth(month: string | undefined): { month?: string } {
  if (month === undefined) return {}
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) return { month }
  throw new UsageError(`Expected --month and a month such as 2026-11, got "${month}".`)
}
