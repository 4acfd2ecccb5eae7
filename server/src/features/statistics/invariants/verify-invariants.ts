import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { invariants } from './invariants.ts'

export interface Verdict {
  name: string
  rows: number
  broken: number
  /** One of the broken rows. */
  example: string | undefined
}

type OnVerdict = (verdict: Verdict) => void

/** Checks one picture of the data, in one transaction that changes nothing: the service may go on writing. */
export async function verifyInvariants(
  ctx: Pick<Context, 'store'>,
  input: { onVerdict: OnVerdict },
): Promise<Verdict[]> {
  return ctx.store.transaction(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read, read only`)
    await tx.query(sql`set local statement_timeout = 0`)
    return verifyWithin(tx, input.onVerdict)
  })
}

/** Checks the data as the transaction sees it. */
export async function verifyWithin(tx: Transaction, onVerdict: OnVerdict = () => {}): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { name, statement } of invariants) {
    const asked = typeof statement === 'function' ? await statement(tx) : statement
    const [row] = await tx.query<{ rows: number; broken: number; example: string | null }>(asked)
    const verdict = { name, rows: row?.rows ?? 0, broken: row?.broken ?? 0, example: row?.example ?? undefined }
    verdicts.push(verdict)
    onVerdict(verdict)
  }
  return verdicts
}
