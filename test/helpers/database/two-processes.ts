import { busOf } from '@peyk/server/base/bus/bus.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import { afterAll } from 'vitest'
import { until } from '../runner/until.ts'
import { useTestNats } from '../service/test-nats.ts'
import { createTestStore } from './test-store.ts'

/** Two processes on one database, each a store of its own, which know of each other. */
export async function openTwoProcesses(): Promise<readonly [Store, Store]> {
  const store = await createTestStore()
  const other = openStore(store.url, { poolSize: 2 })
  const closings = [store, other].map(useTestNats)
  afterAll(async () => {
    await Promise.all(closings.map((close) => close()))
    await other.drain()
    await other.close()
  })
  const both = [store, other] as const
  for (const each of both) {
    busOf(each).on('begin to listen', () => undefined)
    const others = both.filter((other) => other !== each).map((other) => ({ id: busOf(other).id, roles: [] }))
    busOf(each).peers.record(others, performance.now())
  }
  await until(
    () => both.every((each) => busOf(each).isOpen),
    (areOpen) => areOpen,
  )
  return both
}

/** What a process has just begun to follow, NATS knows when its next words were answered. */
export async function untilFollowed(...stores: readonly Store[]): Promise<void> {
  await Promise.all(stores.map((store) => busOf(store).tell('nothing', null)))
}
