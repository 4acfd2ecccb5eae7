import type { Store } from '@peyk/server/base/store/store.ts'
import { tallyOf } from '@peyk/server/features/accounts/quotas/usage-tally.ts'
import { writeUsage } from '@peyk/server/features/accounts/quotas/write-usage.ts'
import { type Verdict, verifyInvariants } from '@peyk/server/features/statistics/invariants/verify-invariants.ts'

/** Writes the usage that this process has counted, as the service does every few seconds. */
export function writeCountedUsage(store: Store): Promise<void> {
  return tallyOf(store).write(
    (tally) => writeUsage(store, tally),
    async () => {},
  )
}

/** What `peyk verify` reports as broken. */
export async function findBroken(store: Store): Promise<Verdict[]> {
  await writeCountedUsage(store)
  return (await verifyInvariants({ store }, { onVerdict: () => {} })).filter(({ broken }) => broken > 0)
}
