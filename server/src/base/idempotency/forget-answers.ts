import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Transaction } from '../store/store.ts'

/**
 * Answers that were kept for idempotency keys and hold one of these words, the ids of a deleted user, are emptied. The
 * keys stay: a request that is sent again is not carried out again.
 */
export async function forgetAnswers(
  tx: Transaction,
  { appId, words, until }: { appId: number; words: readonly string[]; until: Date | undefined },
): Promise<void> {
  await tx.query(sql`
    update idempotency_keys set answer = 'null', is_forgotten = true
    where app_id = ${appId} and not is_forgotten ${until ? sql`and created_at <= ${until}` : empty} and ${holdsWord('answer', words)}`)
}

/** Whether a column of JSON has one of these words as a text of its own, at any depth. */
export function holdsWord(column: string, words: readonly string[]): Sql {
  if (words.length === 0) return sql`false`
  return sql`exists (
    select from unnest(${[...words]}::text[]) as w(word) where strpos(${raw(column)}::text, to_jsonb(w.word)::text) > 0)`
}
