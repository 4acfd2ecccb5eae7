import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'

/** Where a page of messages ended: the id of the last one looked at. */
export function readMessageCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isUuid(cursor)) return cursor
  throw new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
    details: { field: 'cursor' },
  })
}
