import type { ListedEvent } from './list-events-store.ts'

/** An event as lists show it. */
export function eventAnswer(row: ListedEvent) {
  return {
    id: row.id,
    userId: row.user_id ?? '',
    ...(row.installation_id !== null && { installationId: row.installation_id }),
    eventName: row.name,
    eventTime: Number(row.event_at),
    ...(row.data !== null && { eventData: row.data }),
    ...(row.revenue !== null && { revenue: row.revenue }),
    ...(row.currency !== null && { currency: row.currency }),
    ...(row.influence_message_id !== null && {
      influence: { messageId: row.influence_message_id, direct: row.influence_direct ?? false },
    }),
  }
}
