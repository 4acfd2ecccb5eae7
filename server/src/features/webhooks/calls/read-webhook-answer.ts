import type { PoolAnswer } from '#base/http-client/pool.ts'
import { readWait } from '../../deliveries/providers/read-retry-after.ts'

/** What came of a call. */
export interface WebhookResult {
  isSuccess: boolean
  status?: number
  /** For the log; never what the receiver wrote. */
  detail: string
  retryAfterMs?: number
}

export function readWebhookAnswer(answer: PoolAnswer, at: Date): WebhookResult {
  if (answer.kind !== 'answer') return { isSuccess: false, detail: answer.detail.slice(0, 200) }
  const { status } = answer
  if (status >= 200 && status < 300) return { isSuccess: true, status, detail: `answered ${status}` }
  const retryAfterMs = readWait(answer, at)
  return {
    isSuccess: false,
    status,
    detail: status >= 300 && status < 400 ? `answered ${status}; redirects are not followed` : `answered ${status}`,
    ...(retryAfterMs ? { retryAfterMs } : {}),
  }
}
