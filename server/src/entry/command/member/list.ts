import { listMembers } from '#features/accounts/members/list-members.ts'
import type { Command } from '../command.ts'
import { formatMinute, formatTable, print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'the app whose members are listed', isRequired: true },
    json: { summary: 'print JSON' },
  },
  examples: ['peyk member list --app demo', 'peyk member list --app demo --json'],

  async run(input) {
    const label = input.text('app') as string
    const members = await withApp(label, (ctx) => listMembers(ctx))
    if (input.isOn('json')) {
      printJson(members.map(({ id, email, role, lastSeenAt }) => ({ id, email, role, lastSeenAt: lastSeenAt ?? null })))
    } else if (members.length === 0) {
      print(`The app ${label} has no members: create one with peyk member create --app ${label}.`)
    } else {
      const rows = members.map(({ email, role, lastSeenAt }) => [
        ...[email, role],
        lastSeenAt === undefined ? '-' : formatMinute(new Date(lastSeenAt)),
      ])
      print(formatTable(['E-MAIL', 'ROLE', 'LAST SEEN'], rows))
    }
    return undefined
  },
}
