import type { ComposedMessage } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { nextId } from '#base/ids.ts'
import type { Transaction } from '#base/store/store.ts'
import { countWaitingAlone, insertApproval } from './approval-store.ts'
import type { Outgoing } from './read-outgoing.ts'

const decideWithinMs = 7 * 86_400_000

interface Request {
  composed: ComposedMessage
  outgoing: Outgoing
  /** When it would start; undefined for a send that starts on approval. */
  startsAt: Date | undefined
  /** The scheduled message to reschedule. */
  moves?: string
}

export async function storeRequest(
  ctx: Context & { tx: Transaction; member: NonNullable<Context['member']> },
  { composed, outgoing, startsAt, moves }: Request,
): Promise<string> {
  const now = ctx.now()
  if ((await countWaitingAlone(ctx.tx, ctx.app.id, now)) >= limits.approvalsPerApp) throw tooMany()
  const id = nextId(ctx.now, now)
  const latest = new Date(now.getTime() + decideWithinMs)
  await insertApproval(ctx.tx, {
    app_id: ctx.app.id,
    id,
    composed,
    sent: outgoing.sent,
    user_ids: outgoing.userIds ?? null,
    target: outgoing.target ?? null,
    count: outgoing.count,
    asked_at: now,
    asked_by: ctx.member.email,
    asked_by_id: ctx.member.id,
    asked_as: outgoing.hash,
    lapses_at: startsAt && startsAt < latest ? startsAt : latest,
    moves: moves ?? null,
  })
  return id
}

function tooMany(): RequestError {
  return new RequestError(
    'limit-reached',
    `${limits.approvalsPerApp} sends wait for approval already. Approve or decline some of them first.`,
  )
}
