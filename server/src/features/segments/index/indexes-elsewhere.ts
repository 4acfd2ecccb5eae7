import type { StepCounts } from '../count/count-steps.ts'
import type { IndexQuestion, IndexSource } from './count-by-index.ts'
import { defaultIndexLimits, type SegmentIndexes } from './segment-indexes.ts'

/** What the process that keeps the indexes tells another one. */
export interface IndexAnswer {
  isReady: boolean
  counts?: StepCounts | undefined
}

/** The one that is asked waits for its index so long, and a little for the way. */
const patienceMs = defaultIndexLimits.waitMs + 500
/** An app that has no index is not asked about with every count. */
const askAgainMs = 1_000

export async function answerOthers(indexes: SegmentIndexes, question: IndexQuestion): Promise<IndexAnswer> {
  const counts = await indexes.count(question)
  return { isReady: indexes.isReady(question.appId), counts }
}

/** The indexes of another process on this machine: of several, one keeps them for all. */
export class IndexesElsewhere implements IndexSource {
  private readonly ask: (question: IndexQuestion) => Promise<IndexAnswer>
  private readonly askAgainAtMs = new Map<number, number>()

  constructor(ask: (question: IndexQuestion) => Promise<IndexAnswer>) {
    this.ask = ask
  }

  isReady(appId: number): boolean {
    return (this.askAgainAtMs.get(appId) ?? 0) <= performance.now()
  }

  async count(question: IndexQuestion): Promise<StepCounts | undefined> {
    const { appId } = question
    if (!this.isReady(appId)) return undefined
    let timer: NodeJS.Timeout | undefined
    const impatience = new Promise<IndexAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ isReady: false }), patienceMs)
    })
    const { isReady, counts } = await Promise.race([this.ask(question), impatience])
    clearTimeout(timer)
    if (isReady) this.askAgainAtMs.delete(appId)
    else this.askAgainAtMs.set(appId, performance.now() + askAgainMs)
    return counts
  }
}
