import type { Message, MessageDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { firstIdAt } from '#base/ids.ts'
import { countDeliveries } from '../../deliveries/progress/count-deliveries.ts'
import { readGroups } from './read-groups.ts'

const DAY_MS = 86_400_000
const comparedDays = 30
/** Most of those who open a message do so within a day: a younger one says too little. */
const settledMs = DAY_MS
const fewestDevices = 100
const fewestMessages = 3
const mostMessages = 100

/**
 * What share of the devices that confirmed a message usually opens it: the median of the messages to groups of the 30 days
 * before this one, the latest 100 of them, which at least 100 devices confirmed and which are a day old. Undefined: too few.
 * Their counters say it, so deliveries are not read.
 */
export async function readUsual(ctx: Context, message: Message): Promise<MessageDetail['usual']> {
  if (message.silent || message.inApp || message.live) return undefined
  const until = Math.min(message.createdAt, ctx.now().getTime() - settledMs)
  const rows = await db(ctx).query<{ id: string; recipients: number }>(
    sql`select id, recipients from (
          select id, recipients, body from messages
          where app_id = ${ctx.app.id} and audience <> 'users'
            and id >= ${firstIdAt(message.createdAt - comparedDays * DAY_MS)}::uuid and id < ${firstIdAt(until)}::uuid
          order by id desc limit ${mostMessages}
        ) latest
        where recipients >= ${fewestDevices} and not body ?| array['silent', 'inApp', 'live']`,
    'find-compared-messages',
  )
  if (rows.length < fewestMessages) return undefined
  const groups = await readGroups(ctx, rows)
  const shares = rows.flatMap(({ id, recipients }) => {
    const { states } = countDeliveries(recipients, groups.get(id)?.rows ?? [], [])
    return states.delivered < fewestDevices ? [] : [(states.opened + states.acted) / states.delivered]
  })
  if (shares.length < fewestMessages) return undefined
  return { openShare: median(shares), messages: shares.length }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
}
