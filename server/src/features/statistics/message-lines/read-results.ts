import type { MessageCounts, MessageDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db, inSnapshot } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { getMessage } from '../../deliveries/read/get-message.ts'
import { testOf } from '../../deliveries/variants/assign-variant.ts'
import { messageTexts } from '../../messages/compose/message-texts.ts'
import { findMessageRow } from '../../messages/stored/message-store.ts'
import { countOpens } from '../opens/count-opens.ts'
import { compareCounts } from '../variants/compare-counts.ts'
import { many, readCounts, type TimedCounts } from '../variants/read-counts.ts'

type Message = Awaited<ReturnType<typeof getMessage>>
type Counted = Pick<MessageCounts, 'at' | 'opens' | 'test' | 'codes'>
export type Results = MessageDetail & MessageCounts

const countedCodes = 100_000

interface Options {
  /** Earlier counts, if the message has not moved since. Counting is slow. */
  known?(message: Message): Counted | undefined
  /** Read from the same snapshot. */
  describe?(ctx: Context, message: Message): Promise<Partial<MessageDetail>>
}

/** A message with every number of its page, all from one snapshot. */
export async function readResults(
  ctx: Context,
  { id }: { id: string },
  { known, describe }: Options = {},
): Promise<Results> {
  const large = await countLargeTest(ctx, id)
  return inSnapshot(ctx, async (inner) => {
    const message = await getMessage(inner, { id })
    const counted = known?.(message) ?? (await count(inner, message, large))
    return { ...message, ...counted, ...(await describe?.(inner, message)) }
  })
}

async function count(ctx: Context, message: Message, large: TimedCounts | undefined): Promise<Counted> {
  const row = await findMessageRow(ctx, message.id)
  const test = row && testOf(row.body)
  const hasCodes = [...messageTexts(message)].some(({ text }) => text.includes('promoCode'))
  return {
    at: ctx.now().getTime(),
    opens: row ? await countOpens(ctx, row) : { hours: [], days: [] },
    ...(test && { test: await compareCounts(ctx, row, test, large ?? (await readCounts(ctx, row, test.goal))) }),
    ...(hasCodes && { codes: await countCodes(ctx, message.id) }),
  }
}

/**
 * Counts the users of a large test before the snapshot, because counting may take longer than a snapshot should be
 * kept.
 */
async function countLargeTest(ctx: Context, id: string): Promise<TimedCounts | undefined> {
  const row = isUuid(id) ? await findMessageRow(ctx, id) : undefined
  if (!row || row.recipients < many) return undefined
  const test = testOf(row.body)
  return test && readCounts(ctx, row, test.goal)
}

async function countCodes(ctx: Context, messageId: string): Promise<{ given: number; isMore: boolean }> {
  const [row] = await db(ctx).query<{ given: number }>(sql`
    select count(*) as given from (
      select from promo_given where app_id = ${ctx.app.id} and message_id = ${messageId} limit ${countedCodes + 1}) g`)
  const given = row?.given ?? 0
  return { given: Math.min(given, countedCodes), isMore: given > countedCodes }
}
