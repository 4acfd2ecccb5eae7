import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { oldSentences } from './old-sentences.ts'

type Job = Pick<Context, 'store' | 'log'> & { signal?: AbortSignal; rowsPerStep?: number }

interface Position {
  app_id: number
  message_id: string
  installation_no: number
}

const stepsPerReport = 200

/**
 * Turns the sentences that older versions stored into codes, once, along the key of the deliveries. Each step commits
 * with the place it has come to: whoever is stopped goes on from there. A version without codes that still runs beside
 * this one may leave a sentence behind it; that is shown as it is.
 */
export async function fillDetailCodes({ store, log, signal, rowsPerStep = 2_000 }: Job): Promise<void> {
  let filled = 0
  for (let steps = 1; !signal?.aborted; steps++) {
    const step = await store.transaction((tx) => fillStep(tx, rowsPerStep))
    if (step === 'finished') break
    filled += step.filled
    if (steps % stepsPerReport === 0) log.info({ filled }, 'storing codes in place of sentences')
  }
  if (filled > 0) log.info({ filled }, 'stored codes in place of sentences')
}

async function fillStep(tx: Transaction, rowsPerStep: number): Promise<'finished' | { filled: number }> {
  const [from] = await tx.query<Position>(
    sql`select app_id, message_id, installation_no from detail_code_fills where finished_at is null for update`,
  )
  if (!from) return 'finished'
  const rows = await tx.query<Position & { detail: string | null }>(
    sql`select app_id, message_id, installation_no, detail from deliveries
        where (app_id, message_id, installation_no) > (${from.app_id}::int, ${from.message_id}::uuid, ${from.installation_no}::bigint)
        order by app_id, message_id, installation_no limit ${rowsPerStep}`,
    'read-details-to-fill',
  )
  const last = rows.at(-1)
  if (!last) {
    await tx.query(sql`update detail_code_fills set finished_at = peyk_now()`)
    return 'finished'
  }
  const filled = await fill(tx, rows)
  await tx.query(
    sql`update detail_code_fills
        set app_id = ${last.app_id}, message_id = ${last.message_id}, installation_no = ${last.installation_no}`,
  )
  return { filled }
}

/** Deliveries are locked in the order of their keys, as everybody does. What has changed since it was read stays. */
async function fill(tx: Transaction, rows: readonly (Position & { detail: string | null })[]): Promise<number> {
  const known = rows.flatMap(({ detail, ...key }) => {
    const said = detail === null ? undefined : oldSentences.get(detail)
    return said && detail !== null ? [{ ...key, ...said, detail }] : []
  })
  if (known.length === 0) return 0
  const filled = await tx.query(
    sql`with k as materialized (
          select d.app_id, d.message_id, d.installation_no, k.code, k.provider
          from ${unnestRows(known, 'k', {
            app_id: ['int', (each) => each.app_id],
            message_id: ['uuid', (each) => each.message_id],
            installation_no: ['bigint', (each) => each.installation_no],
            detail: ['text', (each) => each.detail],
            code: ['text', (each) => each.code],
            provider: ['text', (each) => each.provider],
          })}
          join deliveries d using (app_id, message_id, installation_no)
          where d.detail = k.detail
          order by d.app_id, d.message_id, d.installation_no
          for update of d
        )
        update deliveries d set detail = null, detail_code = k.code, detail_provider = k.provider
        from k
        where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no
        returning 1`,
    'fill-detail-codes',
  )
  return filled.length
}
