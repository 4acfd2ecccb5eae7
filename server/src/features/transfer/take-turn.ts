import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { Store } from '#base/store/store.ts'

const lockClass = 7394018

/** For a stream or an export. Counted across all processes; a lock is gone with the process that had it. */
export async function takeTurn(store: Store, appId: number): Promise<() => Promise<void>> {
  for (let turn = 1; turn <= limits.streamsPerApp; turn++) {
    const giveBack = await store.takeLock(lockClass, `${appId}/${turn}`)
    if (giveBack) return giveBack
  }
  throw new RequestError(
    'too-many-requests',
    `The app has ${limits.streamsPerApp} streams and exports under way. Wait for one of them, or close one.`,
    { retryAfterSeconds: 30 },
  )
}
