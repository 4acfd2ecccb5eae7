import type { Context } from '../../../base/context.ts'
import type { Durations } from '../../../base/durations.ts'
import { takeCodes } from '../../promo/take-codes.ts'
import { decideEnd, type Personal, pathOf, type Ways } from './decide-end.ts'
import type { HeldBatch } from './held-batch.ts'
import { type RecipientRow, readAttributes, readRecipients } from './read-recipients.ts'
import type { Senders } from './senders.ts'

type Services = Pick<Context, 'store' | 'now'> & { durations: Durations }

const nothingPersonal: Personal = { attributes: new Map(), codes: undefined }

/** Decides for each installation of the batches which way it goes, writes what it is sent, and hands it to the sender. */
export async function prepareBatches(
  services: Services,
  senders: Senders,
  batches: readonly HeldBatch[],
): Promise<void> {
  const recipients = batches.map((): RecipientRow[] => [])
  for (const row of await readRecipients(services.store, batches)) recipients[row.batch - 1]?.push(row)
  for (const [index, batch] of batches.entries()) {
    const rows = recipients[index] as RecipientRow[]
    const ways = senders.waysOf(batch.row.appId)
    const at = services.now()
    const { acknowledgementMs } = services.durations
    const personal = await readPersonal(services, batch, rows, ways, at)
    // Installations that were deleted since leave nothing to tell.
    const deleted = batch.row.installationNos.length - rows.length
    for (const row of rows) {
      const end = decideEnd(batch, row, personal, ways, { at, acknowledgementMs })
      if (end && 'send' in end) senders.submit(end.provider, end.send)
      else batch.end(end)
    }
    for (let count = 0; count < deleted; count++) batch.end(undefined)
    batch.handOver()
  }
}

/** A code is taken only for who can be reached. */
async function readPersonal(
  { store }: Pick<Services, 'store'>,
  batch: HeldBatch,
  rows: RecipientRow[],
  ways: Ways,
  at: Date,
): Promise<Personal> {
  const { message, row } = batch
  const { needsAttributes, needsPromoCode } = message.compiled
  const live = rows.filter((each) => !each.is_gone && !each.is_done && each.is_addressed)
  const isGoing = message.standing === 'running' && message.expiresAt > at
  if (live.length === 0 || !isGoing || (!needsAttributes && !needsPromoCode)) return nothingPersonal
  const attributes = needsAttributes ? await readAttributes(store, row.appId, live) : nothingPersonal.attributes
  if (!needsPromoCode) return { attributes, codes: undefined }
  const reached = live.filter((each) => pathOf(message, each, ways).kind !== 'ended')
  const userNos = [...new Set(reached.map((each) => each.user_no))]
  const wanted = { appId: row.appId, messageId: message.id, trackId: message.trackId, userNos }
  return { attributes, codes: await store.transaction((tx) => takeCodes(tx, wanted)) }
}
