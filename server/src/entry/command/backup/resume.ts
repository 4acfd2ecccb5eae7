import { loadConfig } from '#base/config.ts'
import { createLogger } from '#base/log.ts'
import { countWaiting, type Waiting } from '#features/backups/count-waiting.ts'
import { type Hold, readRestoreHold } from '#features/backups/read-restore-hold.ts'
import { type Resumed, resumeSending } from '#features/backups/resume-sending.ts'
import { type Command, UsageError } from '../command.ts'
import { openExternal } from '../open-external.ts'
import { formatMinute, print } from '../print.ts'
import { withStore } from '../with-store.ts'
import { countOf } from './progress-lines.ts'

export const command: Command = {
  options: {
    send: { summary: 'send what waited in the backup, and resume' },
    discard: { summary: 'cancel what waited in the backup, and resume' },
  },
  notes: `After peyk restore nothing is sent. Without an option this command shows what waits, and changes nothing.

--discard is usually right: what waited when the backup was made has been sent since. Messages of which anything still
waits are cancelled, and webhooks are not told what happened until then. Recalls are finished, and what was accepted since
the restore is sent, either way.
May run while the service runs, which resumes within a second.`,
  examples: ['peyk resume', 'peyk resume --discard'],

  async run({ isOn }) {
    if (isOn('send') && isOn('discard')) throw new UsageError('Expected --send or --discard, not both.')
    const config = loadConfig()
    const decision = isOn('send') ? ('send' as const) : isOn('discard') ? ('discard' as const) : undefined
    await withStore(async (store, now) => {
      const hold = await readRestoreHold({ store })
      if (!hold) return print('Nothing is held back.')
      if (!decision) return print(describeHold(hold, await countWaiting({ store })))
      const log = createLogger({ level: 'error', isTerminal: false })
      const services = { store, log, now, external: await openExternal(config) }
      const resumed = await resumeSending(services, { waiting: decision })
      print(resumed && decision === 'discard' ? describeDiscarded(resumed) : 'What waited is sent now.')
    })
    return 0
  },
}

function describeHold({ backupMadeAt, restoredAt }: Hold, waiting: Waiting): string {
  return [
    `Restored ${formatMinute(restoredAt)} from a backup of ${formatMinute(backupMadeAt)}. Nothing is sent. Waiting:`,
    `  ${countOf(waiting.audiences, 'message')} to groups whose devices are not listed yet`,
    `  ${countOf(waiting.scheduled, 'scheduled message')} whose time has come`,
    `  pushes to ${countOf(waiting.deliveries, 'device')}`,
    `  ${countOf(waiting.inInbox, 'message')} in inboxes of devices`,
    `  ${countOf(waiting.recalls, 'recalled message')} of which devices are still to be told, which they are in either case`,
    `  ${waiting.sms.toLocaleString('en')} SMS`,
    `  ${countOf(waiting.webhookCalls, 'call')} of webhooks`,
    'Resume with peyk resume --discard or peyk resume --send.',
  ].join('\n')
}

function describeDiscarded({ messages, webhookCalls }: Resumed): string {
  return `Cancelled ${countOf(messages, 'message')} and discarded ${countOf(webhookCalls, 'call')} of webhooks. The service sends again.`
}
