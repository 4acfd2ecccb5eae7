import { resumeAllSending } from '#features/deliveries/control/resume-all-sending.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'
import { describeSending } from './describe-sending.ts'

export const command: Command = {
  arguments: [{ name: 'label', summary: "the app's id" }],
  options: { json: { summary: 'print JSON' } },
  notes: `After peyk app stop, or the panel's "Stop all sending". Messages that were paused individually stay paused.
peyk resume releases what a restored service holds back.`,
  examples: ['peyk app resume shop', 'peyk app resume shop --json'],

  async run(input) {
    const label = input.words[0] as string
    const sending = await withApp(label, (ctx) => resumeAllSending(ctx))
    if (input.isOn('json')) printJson(sending)
    else print(`All sending of ${label} is resumed. Now being sent:\n${describeSending(sending)}`)
    return undefined
  },
}
