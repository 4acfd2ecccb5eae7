import type { Store } from './store.ts'

const lockClass = 7394014

/**
 * Runs the work unless another process is at the work of this name; answers whether it ran. No connection of the pool is
 * held meanwhile: with few of them, jobs that hold one and need another would wait for each other.
 */
export async function runAlone(store: Store, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const giveBack = await store.takeLock(lockClass, name)
  if (!giveBack) return false
  try {
    await work()
  } finally {
    await giveBack()
  }
  return true
}
