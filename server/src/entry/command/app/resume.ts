import { resumeAllSending } from '../../../features/deliveries/control/resume-all-sending.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'
import { describeSending } from './describe-sending.ts'

export const command: Command = {
  arguments: [{ name: 'label', summary: "the app's id" }],
  options: { json: { summary: 'print JSON' } },
  notes: `After peyk app stop, or the panel's "Stop all sending". Messages that were paused one by one stay paused.
What a restored service holds back is let go by peyk resume.`,
  examples: ['peyk app resume shop', 'peyk app resume shop --json'],

  async run(input) {
    const label = input.words[0] as string
    const sending = await withApp(label, (ctx) => resumeAllSending(ctx))
    if (input.isOn('json')) printJson(sending)
    else print(`All sending of ${label} is resumed. To be sent are:\n${describeSending(sending)}`)
    return undefined
  },
}
