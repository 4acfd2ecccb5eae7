import { timeOrderedId } from '@peyk/server/base/ids.ts'
import { takeCodes } from '@peyk/server/features/promo/take-codes.ts'
import type { PeykDatabase } from './subjects/peyk.ts'

const usersPerBatch = 500
const batches = 200

export interface Taking {
  usersPerBatch: number
  codesPerSecond: number
}

/** One message to 100,000 users with a code for each, as delivery takes them: batch after batch, each in a commit. */
export async function measureTaking({ store, appId }: PeykDatabase, trackId: string): Promise<Taking> {
  const messageId = timeOrderedId(Date.now())
  const given = new Set<string>()
  const startedAt = performance.now()
  for (let batch = 0; batch < batches; batch++) {
    const userNos = Array.from({ length: usersPerBatch }, (_, index) => batch * usersPerBatch + index + 1)
    const codes = await store.transaction((tx) => takeCodes(tx, { appId, messageId, trackId, userNos }))
    for (const code of codes.values()) if (code !== undefined) given.add(code)
  }
  const seconds = (performance.now() - startedAt) / 1000
  if (given.size !== batches * usersPerBatch) throw new Error(`Only ${given.size} codes were given.`)
  return { usersPerBatch, codesPerSecond: given.size / seconds }
}
