import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import type { Transaction } from '#base/store/store.ts'
import { type ApprovalRow, lockApproval } from './approval-store.ts'

/** A send that still waits, which nobody else decides on until the transaction ends. */
export async function lockWaiting(ctx: Context, tx: Transaction, id: string): Promise<ApprovalRow> {
  const row = isUuid(id) ? await lockApproval(tx, { appId: ctx.app.id, id }) : undefined
  if (!row) throw noApproval()
  if (row.decision !== null) throw decided(`${row.decided_by} has ${row.decision} it. Nothing was done.`)
  if (row.lapses_at <= ctx.now()) throw decided(`It lapsed at ${row.lapses_at.toISOString()}: nobody had approved it.`)
  return row
}

export function noApproval(): RequestError {
  return new RequestError('not-found', 'There is no such send.')
}

function decided(message: string): RequestError {
  return new RequestError('already-decided', message)
}
