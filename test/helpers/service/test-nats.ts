import { readNatsAddress } from '@peyk/server/base/bus/nats/nats-address.ts'
import { openNats } from '@peyk/server/base/bus/nats/open-nats.ts'
import type { Store } from '@peyk/server/base/store/store.ts'
import { silentLog } from '../database/test-store.ts'

/** With PEYK_TEST_NATS_URL, the processes of tests tell each other by NATS; answers how to end that. */
export function useTestNats(store: Store): () => Promise<void> {
  const address = readNatsAddress(process.env.PEYK_TEST_NATS_URL ?? '')
  return address ? openNats(store, address, silentLog) : async () => undefined
}
