import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Context, db, type OutwardContext } from '../context.ts'
import { isStoreAway } from '../store/store-error.ts'
import { findAnswer, type IdempotentAnswer, type IdempotentRequest, keepAnswer, stillRunning } from './idempotency.ts'

interface Options {
  /** How long the key is this request's own. Longer than any call takes. */
  claimMs: number
  /** What is stored with the answer. */
  alongside?: ((inner: Context, answer: unknown) => Promise<void>) | undefined
}

/**
 * [requests.md#idempotency] For verbs that call outwards, which may take long and must not hold a transaction open
 * meanwhile:
 *
 *   claim the key (a commit) ──▶ call, holding nothing ──▶ effects, answer and key in one commit, the claim is gone
 *                                    └──failed──▶ the claim is taken back
 *
 * A crash leaves the claim behind: the key is free again after `claimMs`.
 */
export async function runOnceOutward<C extends OutwardContext>(
  ctx: C,
  request: IdempotentRequest,
  run: (ctx: C) => Promise<unknown>,
  { claimMs, alongside }: Options,
): Promise<IdempotentAnswer> {
  const holder = randomUUID()
  const earlier = await claim(ctx, request, holder, claimMs)
  if (earlier) return earlier
  let settled: { answer: unknown } | undefined
  const settle = async <T>(work: (inner: Context) => Promise<T>): Promise<T> => {
    const answer = await ctx.store.transaction(async (tx) => {
      const inner: Context = { ...ctx, tx }
      // Slower than the claim lasts: another request runs with this key, or has run.
      if (!(await release(inner, request, holder))) throw stillRunning()
      const made = await work(inner)
      await alongside?.(inner, made)
      await keepAnswer(inner, request, made)
      return made
    })
    settled = { answer }
    return answer
  }
  try {
    const answer = await run({ ...ctx, settle })
    if (!settled) await settle(async () => answer)
    return { answer, isReplay: false }
  } catch (error) {
    if (isStoreAway(error)) {
      // The connection was lost: whether before or after the commit, the key knows.
      const committed = await findAnswer(ctx, request).catch(() => undefined)
      if (committed) return { ...committed, isReplay: false }
    }
    if (!settled) await release(ctx, request, holder).catch(() => undefined)
    throw error
  }
}

/** The answer, when the key has one already. */
async function claim(
  ctx: OutwardContext,
  request: IdempotentRequest,
  holder: string,
  claimMs: number,
): Promise<IdempotentAnswer | undefined> {
  return ctx.store.transaction(async (tx) => {
    const inner: Context = { ...ctx, tx }
    const claimed = await tx.query(sql`
      insert into idempotency_claims as c (app_id, route, key, holder)
      values (${ctx.app.id}, ${request.route}, ${request.key}, ${holder})
      on conflict (app_id, route, key) do update set holder = excluded.holder, claimed_at = now()
      where c.claimed_at < now() - ${claimMs} * interval '1 millisecond'
      returning 1`)
    if (claimed.length === 0) throw stillRunning()
    // Only now: whoever had the claim before may have left the answer in the meantime.
    const earlier = await findAnswer(inner, request)
    if (earlier) await release(inner, request, holder)
    return earlier
  })
}

async function release(ctx: Context, request: IdempotentRequest, holder: string): Promise<boolean> {
  const released = await db(ctx).query(sql`
    delete from idempotency_claims
    where app_id = ${ctx.app.id} and route = ${request.route} and key = ${request.key} and holder = ${holder}
    returning 1`)
  return released.length > 0
}
