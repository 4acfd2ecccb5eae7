import { setTimeout as delay } from 'node:timers/promises'
import { RequestError } from '../errors.ts'
import { readStoreError } from './store-error.ts'

type Trouble = 'store-busy' | 'store-away'

const pauseMs = 1_000
const patienceMs = 120_000

interface Patience {
  troubles: readonly Trouble[]
  signal?: AbortSignal
  onWait?(error: RequestError): void
}

/** Does again what may be done twice, once a second for two minutes, while such trouble of PostgreSQL keeps it from being done. */
export async function withPatience<T>(work: () => Promise<T>, { troubles, signal, onWait }: Patience): Promise<T> {
  const givesUpAtMs = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const known = readStoreError(error)
      if (!(known instanceof RequestError) || !troubles.some((trouble) => trouble === known.code)) throw error
      if (performance.now() >= givesUpAtMs) throw error
      onWait?.(known)
      await delay(pauseMs, undefined, { signal })
    }
  }
}
