import type { AnswerOf, messageVariants } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { testOf } from '../../deliveries/variants/assign-variant.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { compareCounts } from './compare-counts.ts'
import { readCounts } from './read-counts.ts'

/** How the variants of a message did, and how sure that is. */
export async function compareMessage(ctx: Context, { id }: { id: string }): Promise<AnswerOf<typeof messageVariants>> {
  const row = await getMessageRow(ctx, id)
  const test = testOf(row.body)
  if (!test) throw new RequestError('not-found', 'The message has neither "variants" nor "control".')
  return compareCounts(ctx, row, test, await readCounts(ctx, row, test.goal))
}
