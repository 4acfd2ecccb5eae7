import type { FastifyReply } from 'fastify'
import { announceWork } from '#base/bus/wake.ts'
import type { Context, OutwardContext } from '#base/context.ts'
import { type IdempotentAnswer, type IdempotentRequest, runOnce } from '#base/idempotency/idempotency.ts'
import { runOnceOutward } from '#base/idempotency/run-once-outward.ts'

interface Write<C> {
  /** Undefined without an idempotency key. */
  once: IdempotentRequest | undefined
  isOutward: boolean
  claimMs: number
  run(ctx: C): Promise<unknown>
  /** Leaves an entry in the audit log. */
  note?(ctx: C, answer: unknown): Promise<void>
  reply: FastifyReply
}

/** Runs a verb that changes something: once per idempotency key, and with its entry in the audit log. */
export async function runWrite<C extends OutwardContext>(ctx: C, write: Write<C>): Promise<unknown> {
  if (write.once === undefined) {
    const answer = await write.run(ctx)
    // It happened: that the log could not be written must not look as if it had not.
    await write.note?.(ctx, answer).catch((error) => ctx.log.error({ err: error }, 'an audit entry was not written'))
    return answer
  }
  const { answer, isReplay } = await runKeyed(ctx, write.once, write)
  announceWork(ctx.store)
  if (isReplay) write.reply.header('idempotency-replayed', 'true')
  return answer
}

function runKeyed<C extends OutwardContext>(
  ctx: C,
  once: IdempotentRequest,
  { isOutward, claimMs, run, note }: Write<C>,
): Promise<IdempotentAnswer> {
  const alongside = (inner: Context, answer: unknown) => note?.(inner as C, answer) ?? Promise.resolve()
  if (isOutward) return runOnceOutward(ctx, once, run, { claimMs, alongside })
  return runOnce(ctx, once, async (inner) => {
    const answer = await run(inner as C)
    await alongside(inner, answer)
    return answer
  })
}
