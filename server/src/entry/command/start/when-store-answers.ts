import { withPatience } from '#base/store/with-patience.ts'
import type { Start } from './running.ts'

/** On a busy machine PostgreSQL may be silent for seconds, and one that has crashed is started anew. A service that starts waits for it. */
export function whenStoreAnswers<T>(
  { log, signal }: Pick<Start, 'log' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  return withPatience(work, {
    troubles: ['store-away', 'store-busy'],
    signal,
    onWait: ({ code }) => log.warn({ reason: code }, 'the start waits for the database'),
  })
}
