import type { Pool, PoolAnswer, PoolRequest } from '#base/http-client/pool.ts'

const attempts = 3

/** What was certainly not processed is asked again at once, on whatever connection the pool has then; a few times. */
export async function requestUntilSent(pool: Pool, request: PoolRequest): Promise<PoolAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await pool.request(request)
    if (answer.kind !== 'not-sent' || answer.wasWithdrawn || attempt === attempts) return answer
  }
}
