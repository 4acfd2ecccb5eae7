import { stopAllSending } from '#features/deliveries/control/stop-all-sending.ts'
import type { Command } from '../command.ts'
import { formatMinute, print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'
import { describeSending } from './describe-sending.ts'

export const command: Command = {
  arguments: [{ name: 'label', summary: "the app's id" }],
  options: { json: { summary: 'print JSON' } },
  notes: `Pushes, inboxes and SMS stop within a second. What is sent meanwhile is accepted and waits; webhooks continue.
May run while the service runs.`,
  examples: ['peyk app stop shop', 'peyk app stop shop --json'],

  async run(input) {
    const label = input.words[0] as string
    const sending = await withApp(label, (ctx) => stopAllSending(ctx))
    if (input.isOn('json')) printJson(sending)
    else
      print(`All sending of ${label} is stopped since ${formatMinute(new Date(sending.since as number))}. Waiting:
${describeSending(sending)}
Resume with peyk app resume ${label}.`)
    return undefined
  },
}
