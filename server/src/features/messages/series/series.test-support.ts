import { raw } from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'

/** A clock that a test puts forward and back, of its own database and of the product. */
export function createTestClock(store: Store) {
  let aheadMs = 0
  return {
    now: () => new Date(Date.now() + aheadMs),
    async set(ms: number): Promise<void> {
      aheadMs = ms
      await store.query(
        raw(`create or replace function peyk_now() returns timestamptz language sql stable parallel safe
          return now() + interval '${ms} milliseconds'`),
      )
    },
  }
}
