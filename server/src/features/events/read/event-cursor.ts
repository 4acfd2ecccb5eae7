import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'

/** Where a page of events ended. */
export interface EventPlace {
  /** Epoch milliseconds. */
  eventAt: number
  id: string
}

export function writeEventCursor({ eventAt, id }: EventPlace): string {
  return Buffer.from(`${eventAt} ${id}`).toString('base64url')
}

export function readEventCursor(cursor: string): EventPlace {
  const [, eventAt, id] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (eventAt !== undefined && isUuid(id)) return { eventAt: Number(eventAt), id }
  throw new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
    details: { field: 'cursor' },
  })
}
