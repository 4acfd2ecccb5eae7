import type { AnswerOf, listTemplates as contract, QueryOf } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { readTimeCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { findTemplates } from './template-store.ts'
import { withValues } from './with-values.ts'

const defaultLimit = 25

export async function listTemplates(
  ctx: Context,
  { search = '', cursor, limit = defaultLimit }: QueryOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const found = await findTemplates(ctx, { search, after: readTimeCursor(cursor), limit: limit + 1 })
  const data = found.slice(0, limit)
  const last = data.at(-1)
  return {
    data: await withValues(data),
    ...(found.length > limit && last && { cursor: writeTimeCursor({ time: last.createdAt, name: last.id }) }),
  }
}
