import type { Context } from '#base/context.ts'
import { findQuotaFault } from '../../accounts/quotas/check-quota.ts'
import { checkInstallationId } from '../../installations/installation-id.ts'
import { storeEvents } from '../write/store-events.ts'
import { readClientEvent } from './read-client-event.ts'
import { readClientTime } from './read-client-time.ts'

export interface ClientEvents {
  installationId: string
  /** When the client put them together; events without a time of their own have this one. */
  createdAt?: unknown
  /** `{id, eventName, createdAt, data, __meta?, influence?}` each, unread. */
  events: readonly unknown[]
}

export interface ClientEventsAnswer {
  /** Stored, now or by an earlier request. */
  count: number
  skipped: number
  warnings: string[]
}

/**
 * Stores what a device tracked; an event that comes again with the same id is stored once. Over the quota of the app they are
 * skipped, and not refused: the device would keep them, and send them again and again.
 */
export async function trackClientEvents(ctx: Context, input: ClientEvents): Promise<ClientEventsAnswer> {
  const batch = {
    installationId: checkInstallationId(input.installationId),
    at: readClientTime(input.createdAt, Number(ctx.now())),
  }
  const read = input.events.flatMap((sent) => readClientEvent(ctx, sent, batch) ?? [])
  const skipped = input.events.length - read.length
  if (read.length === 0) return { count: 0, skipped, warnings: [] }
  const fault = findQuotaFault(ctx, 'events', read.length)
  if (fault) return { count: 0, skipped: input.events.length, warnings: [fault.message] }
  const stored = await storeEvents(
    ctx,
    read.map((event) => event.draft),
  )
  const warnings = stored.flatMap((event, index) => [...(read[index]?.warnings ?? []), ...(event.warnings ?? [])])
  return { count: stored.length, skipped, warnings }
}
