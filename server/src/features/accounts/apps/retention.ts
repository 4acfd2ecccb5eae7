/** [users-and-events.md#how-long-data-is-kept] */
export const defaultRetention = { eventsDays: 400, deliveriesDays: 90 }

export interface Retention {
  eventsDays: number
  deliveriesDays: number
  usual: { eventsDays: number; deliveriesDays: number }
}
