import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { describeQuota, type QuotaName } from './quota.ts'
import { quotaStateOf } from './quota-states.ts'
import { tallyOf } from './usage-tally.ts'

type Ctx = Pick<Context, 'app' | 'store' | 'now'>

/** The operator may raise a quota at any time, so that nobody is told to wait for longer. */
const longestWaitSeconds = 3_600

/** Throws when the app has a quota of this and what is to be added does not fit into it. */
export function checkQuota(ctx: Ctx, name: QuotaName, adds = 1): void {
  const fault = findQuotaFault(ctx, name, adds)
  if (fault) throw fault
}

/** As known in this process: what others have used is counted some seconds later. */
export function findQuotaFault(ctx: Ctx, name: QuotaName, adds = 1): RequestError | undefined {
  const state = quotaStateOf(ctx.store, ctx.app.id)
  const limit = state?.quotas[name]
  if (!state || limit === undefined) return undefined
  const isOver = name !== 'installations' && ctx.now() >= state.resetsAt
  const pending = name === 'sms' ? 0 : tallyOf(ctx.store).of(ctx.app.id, name)
  const used = (isOver ? 0 : state.used[name]) + pending
  if (used + adds <= limit) return undefined
  const resetsAt = name === 'installations' ? undefined : state.resetsAt
  const secondsLeft = resetsAt ? (resetsAt.getTime() - ctx.now().getTime()) / 1000 : longestWaitSeconds
  return new RequestError('quota-exceeded', sentenceOf(name, { limit, used, adds, resetsAt }), {
    details: { quota: name, limit, used, ...(adds > 1 && { adds }), ...(resetsAt && { resetsAt: resetsAt.getTime() }) },
    retryAfterSeconds: Math.max(1, Math.min(longestWaitSeconds, Math.ceil(secondsLeft))),
  })
}

interface Excess {
  limit: number
  used: number
  adds: number
  resetsAt: Date | undefined
}

function sentenceOf(name: QuotaName, { limit, used, adds, resetsAt }: Excess): string {
  const left = Math.max(0, limit - used)
  const what = `The app's quota of ${describeQuota(name, limit)}`
  const why = left === 0 ? `${what} is used up.` : `${what} has ${count(left)} left, and this would add ${count(adds)}.`
  const until = resetsAt
    ? `It begins anew at ${resetsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC; whoever runs the service can raise it.`
    : 'Whoever runs the service can raise it.'
  return `${why} ${until}`
}

function count(number: number): string {
  return number.toLocaleString('en')
}
