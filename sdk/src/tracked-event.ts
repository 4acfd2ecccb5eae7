import { PeykError } from './rest.ts'

export type EventValue = string | number | boolean | Date | string[]
export type EventData = Record<string, EventValue>

export interface TrackedEvent {
  /** The service stores an event that comes again with the same id once. */
  id: string
  eventName: string
  createdAt: number
  data: Record<string, Exclude<EventValue, Date>>
  __meta?: { keys: Record<string, { type: 'date' }> }
}

export interface Revenue {
  revenue: number
  currency?: string
}

export function trackedEvent(
  eventName: string,
  data: EventData,
  { id, now, revenue }: { id: string; now: number; revenue?: Revenue },
): TrackedEvent {
  const { values, keys } = withoutDates(data)
  if (revenue) {
    Object.assign(values, { isRevenue: true, value: revenue.revenue })
    if (revenue.currency !== undefined) values.currency = revenue.currency
  }
  const event: TrackedEvent = { id, eventName, createdAt: now, data: values }
  if (Object.keys(keys).length > 0) event.__meta = { keys }
  return asSent(event)
}

/** Thrown here what is no JSON: in the queue it would hold up all that comes after it, for good. */
function asSent(event: TrackedEvent): TrackedEvent {
  try {
    return JSON.parse(JSON.stringify(event))
  } catch (error) {
    throw new PeykError('invalid-request', `The event ${event.eventName} is no JSON: ${(error as Error).message}`)
  }
}

/** Dates travel as epoch milliseconds, with a word on each that it is one. */
export function withoutDates<T>(data: Record<string, T>): {
  values: Record<string, Exclude<T, Date> | number>
  keys: Record<string, { type: 'date' }>
} {
  const values: Record<string, Exclude<T, Date> | number> = {}
  const keys: Record<string, { type: 'date' }> = {}
  for (const [name, value] of Object.entries(data)) {
    if (value instanceof Date) {
      values[name] = Number(value)
      keys[name] = { type: 'date' }
    } else values[name] = value as Exclude<T, Date>
  }
  return { values, keys }
}
