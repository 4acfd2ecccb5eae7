import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { settleAlert } from '../accounts/alerts/settle-alert.ts'
import type { CodeLines } from './code-lines.ts'
import { countUsed } from './count-used.ts'
import { lockUploads } from './lock-uploads.ts'
import { stageCodes } from './stage-codes.ts'
import { type CodeFile, countFile, type FileCounts, uploadFile } from './upload-file.ts'

export interface ReplacedSet extends FileCounts {
  setId: string
  duplicates: number
  alreadyUsed: number
}

/**
 * [promo-codes.md#upload] All in one transaction: whatever ends it early, a crash too, leaves the old set and nothing
 * of the new.
 */
export function replaceSet(ctx: Context, given: CodeFile): Promise<ReplacedSet> {
  return uploadFile(ctx, given, (tx, lines) => storeSet(tx, ctx, given, lines))
}

async function storeSet(tx: Transaction, ctx: Context, given: CodeFile, lines: CodeLines): Promise<ReplacedSet> {
  const { trackId, file } = given
  const appId = ctx.app.id
  const setId = randomUUID()
  await tx.query(sql`select set_config('statement_timeout', '15min', true)`)
  const [row] = await tx.query<{ set_no: number }>(sql`
    insert into promo_sets (app_id, set_id, track_id, state) values (${appId}, ${setId}, ${trackId}, 'uploading') returning set_no`)
  const set = { appId, setNo: row?.set_no as number }
  const codes = await stageCodes(tx, set, file, lines)
  const duplicates = lines.rows - codes
  const alreadyUsed = await countUsed(tx, set, codes)

  await lockUploads(tx, appId, trackId)
  await tx.query(sql`
    update promo_sets set state = 'replaced' where app_id = ${appId} and track_id = ${trackId} and state = 'active'`)
  await tx.query(sql`
    update promo_sets
    set state = 'active', activated_at = ${ctx.now()}, total_rows = ${lines.rows}, codes = ${codes},
        duplicates = ${duplicates}, already_used = ${alreadyUsed}
    where app_id = ${appId} and set_no = ${set.setNo}`)
  await settleAlert({ ...ctx, tx }, { kinds: ['promo-low'], subject: trackId })
  return { setId, ...countFile(lines, given), duplicates, alreadyUsed }
}
