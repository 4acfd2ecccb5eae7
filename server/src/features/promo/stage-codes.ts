import type { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { openCopy } from '#base/store/open-copy.ts'
import type { Transaction } from '#base/store/store.ts'
import type { CodeLines } from './code-lines.ts'
import { OrderedCodes } from './ordered-codes.ts'
import { readCodes } from './parse-code-file.ts'

export interface SetKey {
  appId: number
  setNo: number
}

/**
 * Reads a file into promo_codes, each code once, and answers how many that makes.
 *
 *   in order ──a code out of order, or a repeat──▶ in any order ──end of file──▶ sorted in
 *      │ COPY straight into promo_codes               │ COPY into a temporary table
 *      └──end of file──▶ done
 *
 * COPY fails on a repeat, and storing in random order is slow: so only what is known to rise goes straight in.
 */
export async function stageCodes(tx: Transaction, set: SetKey, file: Readable, lines: CodeLines): Promise<number> {
  const order = new OrderedCodes()
  let copy = openCopy(tx, 'copy promo_codes (app_id, set_no, code) from stdin')
  let orderedRows = 0
  let isOrdered = true
  try {
    for await (const codes of readCodes(file, lines)) {
      if (isOrdered && !order.goOn(codes)) {
        isOrdered = false
        await copy.end()
        await tx.query(sql`create temporary table promo_upload (code text collate "C" not null) on commit drop`)
        copy = openCopy(tx, 'copy promo_upload (code) from stdin')
      }
      await copy.write(isOrdered ? asRows(codes, set) : codes)
      if (isOrdered) orderedRows = lines.rows
    }
    await copy.end()
  } catch (error) {
    await copy.cancel()
    throw error
  }
  return isOrdered ? orderedRows : orderedRows + (await sortIn(tx, set, orderedRows > 0))
}

/** Codes hold nothing that COPY would read otherwise, so they go as they are; the set's numbers come before each. */
function asRows(codes: Buffer, set: SetKey): Buffer {
  const prefix = `${set.appId}\t${set.setNo}\t`
  const text = codes.toString('latin1', 0, codes.length - 1)
  return Buffer.from(`${prefix}${text.replaceAll('\n', `\n${prefix}`)}\n`, 'latin1')
}

/** Sorting needs bounded memory where hashing may not, and rows that come sorted are stored several times faster. */
async function sortIn(tx: Transaction, { appId, setNo }: SetKey, hasOrdered: boolean): Promise<number> {
  await tx.query(sql`select set_config('enable_hashagg', 'off', true), set_config('work_mem', '64MB', true)`)
  const codes = hasOrdered
    ? sql`select code from promo_upload except select code from promo_codes where app_id = ${appId} and set_no = ${setNo}`
    : sql`select distinct code from promo_upload`
  const insert = sql`insert into promo_codes (app_id, set_no, code) select ${appId}::int, ${setNo}::bigint, code from (${codes} order by code) c`
  const { rowCount } = await tx.client.query(insert.text, insert.values)
  return rowCount ?? 0
}
