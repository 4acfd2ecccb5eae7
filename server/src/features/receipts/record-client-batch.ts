import type { AnswerOf, BodyOf, clientEvents } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { trackClientEvents } from '../events/track/track-client-events.ts'
import { checkInstallationId, unknownInstallation } from '../installations/installation-id.ts'
import { isInstallation } from '../installations/register/is-installation.ts'
import { readReceipt } from './read-receipt.ts'
import type { Receipt } from './receipt.ts'
import { recordReceipts } from './record-receipts.ts'

export type ClientBatchAnswer = AnswerOf<typeof clientEvents>

const maxWarnings = 20

/** What a device collected: events and receipts, in the order of the list. Sent again, it changes nothing. */
export async function recordClientBatch(ctx: Context, input: BodyOf<typeof clientEvents>): Promise<ClientBatchAnswer> {
  const { createdAt, eventData } = input
  const installationId = checkInstallationId(input.installationId)
  const { events, receipts, skipped } = sortElements(eventData, ctx.now())
  const answer = { queued: true as const, n: 0, skipped }
  const warnings: string[] = []
  // In one transaction all go at once: a second part would lock the counters again after what comes behind them.
  const perPart = ctx.tx ? Number.POSITIVE_INFINITY : limits.eventsPerRequest
  for (let start = 0; start < events.length; start += perPart) {
    const part = events.slice(start, start + perPart)
    const tracked = await trackClientEvents(ctx, { installationId, createdAt, events: part })
    answer.n += tracked.count
    answer.skipped += tracked.skipped
    warnings.push(...tracked.warnings)
  }
  for (let start = 0; start < receipts.length; start += perPart) {
    const part = receipts.slice(start, start + perPart)
    const recorded = await recordReceipts(ctx, { installationId, receipts: part })
    answer.n += recorded.count
    answer.skipped += recorded.ignored
  }
  if (answer.n === 0 && !(await isInstallation(ctx, installationId))) throw unknownInstallation(installationId)
  return warnings.length > 0 ? { ...answer, warnings: warnings.slice(0, maxWarnings) } : answer
}

/** Type 1 is a receipt, type 2 an event; the number may be a text. */
function sortElements(elements: readonly unknown[], now: Date) {
  const events: unknown[] = []
  const receipts: Receipt[] = []
  let skipped = 0
  for (const element of elements) {
    const fields = typeof element === 'object' && element !== null ? (element as Record<string, unknown>) : {}
    const isReceipt = fields.type === 1 || fields.type === '1'
    const receipt = isReceipt ? readReceipt(fields, now) : undefined
    if (receipt) receipts.push(receipt)
    else if (fields.type === 2 || fields.type === '2') events.push(fields.data)
    else skipped++
  }
  return { events, receipts, skipped }
}
