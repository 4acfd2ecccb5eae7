import { announceTimeForward } from '#base/bus/time-broadcast.ts'
import { loadConfig } from '#base/config.ts'
import { forwardTime } from '#features/demo/forward-time.ts'
import { type Command, CommandError } from './command.ts'
import { formatMinute, print } from './print.ts'
import { readDuration } from './read-duration.ts'
import { withStore } from './with-store.ts'

export const command: Command = {
  arguments: [{ name: 'span', summary: 'how much time passes: 30m, 12h, 7d or 4w' }],
  options: {},
  notes: `For demonstrations and trials, in development only: what would happen in this time happens now. Messages expire, old
data go, rules such as "not seen for 7 days" match. A service that runs follows at once. The time of this database stays
ahead from then on and never goes back: production does not start on it.

Tokens for providers, signatures of webhooks, sessions of the panel and leases between processes keep the real time.`,
  examples: ['peyk time forward 7d'],

  async run(input) {
    const span = readDuration(input.words[0] as string)
    if (loadConfig().mode === 'production') throw new CommandError('peyk time forward works in development only.')
    const at = await withStore(async (store, now) => {
      await forwardTime(store, span)
      await announceTimeForward(store)
      return new Date(Number(now()) + span * 1_000)
    })
    print(`It is ${formatMinute(at)} now, for all that this database holds.`)
    return undefined
  },
}
