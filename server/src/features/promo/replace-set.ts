import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import type { Transaction } from '../../base/store/store.ts'
import { settleAlert } from '../accounts/alerts/settle-alert.ts'
import { CodeLines } from './code-lines.ts'
import { countUsed } from './count-used.ts'
import { stageCodes } from './stage-codes.ts'

export interface ReplacedSet {
  setId: string
  totalRows: number
  duplicates: number
  alreadyUsed: number
}

/** [choice 41] All in one transaction: whatever ends it early, a crash too, leaves the old set and nothing of the new. */
export async function replaceSet(
  ctx: Context,
  { trackId, file, progressMs = 5_000 }: { trackId: string; file: Readable; progressMs?: number },
): Promise<ReplacedSet> {
  // Whoever reads the file meets its error; until then nobody would be listening.
  file.on('error', () => undefined)
  const lines = new CodeLines()
  const log = ctx.log.child({ app: ctx.app.label, trackId: trackId || undefined })
  const progress = setInterval(() => log.info({ rows: lines.rows }, 'promo codes are being stored'), progressMs)
  try {
    return await inTransaction(ctx, (tx) => {
      // A transaction that lost against another is run again, but a file can be read only once.
      if (file.readableDidRead)
        throw new RequestError('store-busy', 'The database was too busy to store the file. Send it again.')
      return storeSet(tx, ctx, trackId, file, lines)
    })
  } finally {
    clearInterval(progress)
  }
}

async function storeSet(
  tx: Transaction,
  ctx: Context,
  trackId: string,
  file: Readable,
  lines: CodeLines,
): Promise<ReplacedSet> {
  const appId = ctx.app.id
  const setId = randomUUID()
  await tx.query(sql`select set_config('statement_timeout', '15min', true)`)
  const [row] = await tx.query<{ set_no: number }>(sql`
    insert into promo_sets (app_id, set_id, track_id, state) values (${appId}, ${setId}, ${trackId}, 'uploading') returning set_no`)
  const set = { appId, setNo: row?.set_no as number }
  const codes = await stageCodes(tx, set, file, lines)
  const duplicates = lines.rows - codes
  const alreadyUsed = await countUsed(tx, set, codes)

  // Uploads to one set take turns here, so that each finds the set it replaces.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`promo-set ${appId} ${trackId}`}, 0))`)
  await tx.query(sql`
    update promo_sets set state = 'replaced' where app_id = ${appId} and track_id = ${trackId} and state = 'active'`)
  await tx.query(sql`
    update promo_sets
    set state = 'active', activated_at = ${ctx.now()}, total_rows = ${lines.rows}, codes = ${codes},
        duplicates = ${duplicates}, already_used = ${alreadyUsed}
    where app_id = ${appId} and set_no = ${set.setNo}`)
  await settleAlert({ ...ctx, tx }, { kinds: ['promo-low'], subject: trackId })
  return { setId, totalRows: lines.rows, duplicates, alreadyUsed }
}
