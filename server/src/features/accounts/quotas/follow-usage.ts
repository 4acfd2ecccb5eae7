import type { Context } from '#base/context.ts'
import { keepQuotaStates } from './quota-states.ts'
import { readQuotaStates } from './read-quota-states.ts'
import { tallyOf } from './usage-tally.ts'
import { writeUsage } from './write-usage.ts'

type Services = Pick<Context, 'store' | 'log'>

/** Writes what this process has counted, and reads what apps with quotas have used, those of other processes included. */
export function followUsage({ store, log }: Services, everyMs: number): { stop(): Promise<void> } {
  const tally = tallyOf(store)
  const round = () =>
    tally.write(
      (counts) => writeUsage(store, counts),
      async () => keepQuotaStates(store, await readQuotaStates(store)),
    )
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()
  let isStopped = false
  const run = () => {
    underWay = round()
      .catch((error) => log.warn({ err: error }, 'what apps use could not be written and read, and is tried again'))
      .then(() => {
        if (!isStopped) timer = setTimeout(run, everyMs).unref()
      })
  }
  run()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await underWay
      await tally.write(
        (counts) => writeUsage(store, counts),
        async () => undefined,
      )
    },
  }
}
