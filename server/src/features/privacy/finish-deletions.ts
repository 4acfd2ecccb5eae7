import type { Logger } from '#base/log.ts'
import type { Store } from '#base/store/store.ts'
import { dropOldMarks, listLeftDeletions } from './deletions-store.ts'
import { finishDeletion } from './finish-deletion.ts'

/** One that takes longer is somebody's who died, or will find it done. */
const leftAfterSeconds = 60
/** Longer than any request or delivery is on its way. */
const keepMarksMs = 86_400_000

/** Ends deletions of users whose process died in the middle, and drops the marks of those that are long over. */
export async function finishDeletions(job: {
  store: Store
  now(): Date
  log: Logger
  signal?: AbortSignal
}): Promise<void> {
  for (const deletion of await listLeftDeletions(job.store, leftAfterSeconds)) {
    if (job.signal?.aborted) return
    await finishDeletion(job, deletion, { isLeft: true })
    job.log.info({ appId: deletion.appId }, 'the deletion of a user was brought to its end')
  }
  await dropOldMarks(job.store, new Date(Number(job.now()) - keepMarksMs))
}
