import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { faultWaitMs, later, quotaWaitMs, readNoAnswer } from '../outcomes.ts'
import { shorten } from '../read-json.ts'

/** What a push service made of a push. Its waiting is of that host only, so never `isForAll`. */
export function readWebPushAnswer(answer: PoolAnswer, now: Date): Outcome {
  if (answer.kind !== 'answer') return readNoAnswer(answer)
  const { status } = answer
  const said = shorten(answer.body)
  const detail = `web push ${status}${said === '' || said.startsWith('<') ? '' : ` (${said})`}`
  switch (status) {
    case 200:
    case 201:
    case 202:
    case 204:
      return { kind: 'accepted' }
    case 401:
    case 403:
      return { kind: 'paused', detail: `${detail}: the push service does not take the VAPID key or its signature` }
    case 404:
    case 410:
      return { kind: 'gone', detail }
    case 408:
    case 425:
      return later(answer, now, { defaultMs: faultWaitMs, isForAll: false }, detail)
    case 429:
      return later(answer, now, { defaultMs: quotaWaitMs, isForAll: false, isQuota: true }, detail)
  }
  return status >= 400 && status < 500
    ? { kind: 'refused', detail }
    : later(answer, now, { defaultMs: faultWaitMs, isForAll: false }, detail)
}
