import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { openCopy } from '#base/store/open-copy.ts'
import type { Transaction } from '#base/store/store.ts'
import { settleAlert } from '../accounts/alerts/settle-alert.ts'
import type { CodeLines } from './code-lines.ts'
import { lockUploads } from './lock-uploads.ts'
import { readCodes } from './parse-code-file.ts'
import type { SetKey } from './stage-codes.ts'
import { lockActiveSet } from './take-codes-store.ts'
import { type CodeFile, countFile, type FileCounts, uploadFile } from './upload-file.ts'

export interface GrownSet extends FileCounts {
  setId: string
  duplicates: number
  alreadyThere: number
  alreadyUsed: number
}

/**
 * Adds the codes of a file to the set in use, or begins a set with them. Whoever takes codes meanwhile does not wait:
 * nobody sees the new ones before the commit, and the set is locked only at its end.
 */
export function addToSet(ctx: Context, given: CodeFile): Promise<GrownSet> {
  return uploadFile(ctx, given, (tx, lines) => growSet(tx, ctx, given, lines))
}

async function growSet(tx: Transaction, ctx: Context, given: CodeFile, lines: CodeLines): Promise<GrownSet> {
  const { trackId, file } = given
  const appId = ctx.app.id
  await tx.query(sql`
    select set_config('statement_timeout', '15min', true), set_config('enable_hashagg', 'off', true), set_config('work_mem', '64MB', true)`)
  await copyFile(tx, file, lines)
  await lockUploads(tx, appId, trackId)
  const { setNo, setId, takenUpTo } = await findOrBegin(tx, ctx, trackId)
  const set = { appId, setNo }
  const distinct = await countDistinct(tx)
  const added = await insertNew(tx, set)
  const alreadyUsed = await countAddedUsed(tx, appId)
  const duplicates = lines.rows - distinct

  // Most of this is done before takers have to wait.
  await offerPassed(tx, set, '', takenUpTo)
  const locked = await lockActiveSet(tx, appId, trackId)
  if (locked && locked.takenUpTo > takenUpTo) await offerPassed(tx, set, takenUpTo, locked.takenUpTo)
  await tx.query(sql`
    update promo_sets
    set activated_at = ${ctx.now()}, total_rows = total_rows + ${lines.rows}, codes = codes + ${added},
        duplicates = duplicates + ${lines.rows - added}, already_used = already_used + ${alreadyUsed}, low_told_at = null
    where app_id = ${appId} and set_no = ${setNo}`)
  await settleAlert({ ...ctx, tx }, { kinds: ['promo-low'], subject: trackId })
  return { setId, ...countFile(lines, given), duplicates, alreadyThere: distinct - added, alreadyUsed }
}

async function copyFile(tx: Transaction, file: Readable, lines: CodeLines): Promise<void> {
  await tx.query(sql`create temporary table promo_upload (code text collate "C" not null) on commit drop`)
  const copy = openCopy(tx, 'copy promo_upload (code) from stdin')
  try {
    for await (const codes of readCodes(file, lines)) await copy.write(codes)
    await copy.end()
  } catch (error) {
    await copy.cancel()
    throw error
  }
}

async function findOrBegin(tx: Transaction, ctx: Context, trackId: string) {
  const [found] = await tx.query<{ set_no: number; set_id: string; taken_up_to: string }>(sql`
    select set_no, set_id, taken_up_to from promo_sets
    where app_id = ${ctx.app.id} and track_id = ${trackId} and state = 'active'`)
  if (found) return { setNo: found.set_no, setId: found.set_id, takenUpTo: found.taken_up_to }
  const setId = randomUUID()
  const [begun] = await tx.query<{ set_no: number }>(sql`
    insert into promo_sets (app_id, set_id, track_id, state) values (${ctx.app.id}, ${setId}, ${trackId}, 'active') returning set_no`)
  return { setNo: begun?.set_no as number, setId, takenUpTo: '' }
}

async function countDistinct(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`select count(*) from (select distinct code from promo_upload) d`)
  return row?.count ?? 0
}

/** Stores the codes that the set has not, and keeps them in `promo_added`. PostgreSQL must know how many there are. */
async function insertNew(tx: Transaction, { appId, setNo }: SetKey): Promise<number> {
  await tx.query(sql`create temporary table promo_added (code text collate "C" not null) on commit drop`)
  await tx.query(sql`
    insert into promo_added (code)
    select code from promo_upload except select code from promo_codes where app_id = ${appId} and set_no = ${setNo}`)
  await tx.query(sql`analyze promo_added`)
  const insert = sql`
    insert into promo_codes (app_id, set_no, code) select ${appId}::int, ${setNo}::bigint, code from promo_added order by code`
  const { rowCount } = await tx.client.query(insert.text, insert.values)
  return rowCount ?? 0
}

async function countAddedUsed(tx: Transaction, appId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) from promo_added a join promo_given g on g.app_id = ${appId} and g.code = a.code`)
  return row?.count ?? 0
}

/** Codes are given in their order: new ones that takers have passed already would never be, so these go first. */
async function offerPassed(tx: Transaction, { appId, setNo }: SetKey, after: string, upTo: string): Promise<void> {
  await tx.query(sql`
    insert into promo_returned (app_id, set_no, code)
    select ${appId}::int, ${setNo}::bigint, a.code from promo_added a
    where a.code > ${after} and a.code <= ${upTo}
      and not exists (select from promo_given g where g.app_id = ${appId} and g.code = a.code)
    on conflict do nothing`)
}
