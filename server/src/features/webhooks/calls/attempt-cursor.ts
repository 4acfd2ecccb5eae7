import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'

/** Where a page of attempts ended. Their times are written in whole milliseconds. */
export interface AttemptPlace {
  attempted_at: Date
  event_id: string
}

export function writeAttemptCursor({ attempted_at, event_id }: AttemptPlace): string {
  return Buffer.from(`${attempted_at.getTime()} ${event_id}`).toString('base64url')
}

export function readAttemptCursor(cursor: string): AttemptPlace {
  const [, time, id] = /^(\d{1,14}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || !isUuid(id)) {
    throw new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
      details: { field: 'cursor' },
    })
  }
  return { attempted_at: new Date(Number(time)), event_id: id }
}
