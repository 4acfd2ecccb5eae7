import { createHash } from 'node:crypto'
import { busOf } from '#base/bus/bus.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import type { StepCounts } from '../count/count-steps.ts'
import type { IndexQuestion, IndexSource } from './ask-index.ts'
import type { Answers } from './index-messages.ts'
import type { ListedPart } from './listed-part.ts'
import { type PackedPart, packParts, unpackParts } from './packed-parts.ts'
import { defaultIndexLimits, type SegmentIndexes } from './segment-indexes.ts'

/** What one process asks another one that keeps the index of an app. NOTIFY brings it to everybody. */
interface Asked extends IndexQuestion {
  wants: keyof Answers
  to: string
  from: string
  id: number
}

interface Answer {
  isReady: boolean
  count?: StepCounts | undefined
  recent?: number[] | undefined
  list?: PackedPart[] | undefined
}

interface Answered extends Answer {
  to: string
  id: number
}

const askTopic = 'ask-segment-index'
const answerTopic = 'segment-index-answered'
/** The one that is asked waits for its index so long, and a little for the way. */
const patienceMs = defaultIndexLimits.waitMs + 500
/** An app that has no index is not asked about with every count. */
const askAgainMs = 1_000
/** Whoever does not answer is not asked for so long: it may be dead, and the others do not know yet. */
const silentMs = 5_000
/** A segment that names thousands of values is not worth the way. */
const longestQuestion = 50_000

/**
 * The indexes of all processes on this database that have the role for it: each app's is kept by one of them, and the
 * others ask that one by the bus. Where none has the role, or the one does not answer, SQL counts.
 */
export class SharedIndexes implements IndexSource {
  private readonly store: Store
  private readonly own: SegmentIndexes | undefined
  private readonly askAgainAtMs = new Map<number, number>()
  private readonly silentUntilMs = new Map<string, number>()
  private readonly waiting = new Map<number, (answer: Answer) => void>()
  private readonly stops: (() => void)[]
  private questions = 0

  constructor(store: Store, own?: SegmentIndexes) {
    this.store = store
    this.own = own
    const bus = busOf(store)
    const hear = (topic: string, listener: (body: unknown) => void) =>
      bus.hear(topic, (body) => {
        if ((body as { to?: unknown } | null)?.to === bus.id) listener(body)
      })
    this.stops = [hear(answerTopic, (body) => this.receive(body as Answered))]
    if (own) this.stops.push(hear(askTopic, (body) => void this.answer(own, body as Asked)))
  }

  isReady(appId: number): boolean {
    const keeper = this.keeperOf(appId)
    return keeper === this.id ? (this.own?.isReady(appId) ?? false) : this.mayAsk(keeper, appId)
  }

  async count(question: IndexQuestion): Promise<StepCounts | undefined> {
    const keeper = this.keeperOf(question.appId)
    if (keeper === this.id) return this.own?.count(question)
    return (await this.askKeeper(keeper, 'count', question))?.count
  }

  async recent(question: IndexQuestion): Promise<number[] | undefined> {
    const keeper = this.keeperOf(question.appId)
    if (keeper === this.id) return this.own?.recent(question)
    return (await this.askKeeper(keeper, 'recent', question))?.recent
  }

  async list(question: IndexQuestion, tx?: Transaction): Promise<ListedPart[] | undefined> {
    const keeper = this.keeperOf(question.appId)
    if (keeper === this.id) return this.own?.list(question, tx)
    const answer = await this.askKeeper(keeper, 'list', question)
    return answer?.list && unpackParts(answer.list)
  }

  stop(): void {
    for (const stop of this.stops) stop()
    for (const settle of this.waiting.values()) settle({ isReady: false })
  }

  private get id(): string {
    return busOf(this.store).id
  }

  /** The same for all who know of the same processes. Few apps go to another one when one comes or goes. */
  private keeperOf(appId: number): string | undefined {
    const keepers = busOf(this.store).peers.withRole('index')
    if (this.own) keepers.push(this.id)
    if (keepers.length < 2) return keepers[0]
    const weigh = (keeper: string) => createHash('sha256').update(`${appId} ${keeper}`).digest('hex')
    return keepers.reduce((one, other) => (weigh(other) > weigh(one) ? other : one))
  }

  private mayAsk(keeper: string | undefined, appId: number): boolean {
    const nowMs = performance.now()
    if (keeper === undefined || (this.silentUntilMs.get(keeper) ?? 0) > nowMs) return false
    return (this.askAgainAtMs.get(appId) ?? 0) <= nowMs
  }

  private async askKeeper(
    keeper: string | undefined,
    wants: keyof Answers,
    question: IndexQuestion,
  ): Promise<Answer | undefined> {
    const { appId, conditions } = question
    if (keeper === undefined || !this.mayAsk(keeper, appId)) return undefined
    if (JSON.stringify(conditions).length > longestQuestion) return undefined
    const answer = await this.ask(keeper, wants, question)
    if (!answer) this.silentUntilMs.set(keeper, performance.now() + silentMs)
    else if (!answer.isReady) this.askAgainAtMs.set(appId, performance.now() + askAgainMs)
    return answer
  }

  private ask(to: string, wants: keyof Answers, question: IndexQuestion): Promise<Answer | undefined> {
    const id = ++this.questions
    return new Promise((resolve) => {
      const settle = (answer: Answer | undefined) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(answer)
      }
      const timer = setTimeout(() => settle(undefined), patienceMs)
      this.waiting.set(id, settle)
      void busOf(this.store).tell(askTopic, { ...question, wants, to, from: this.id, id } satisfies Asked, to)
    })
  }

  private async answer(own: SegmentIndexes, { to: _, from, id, wants, ...question }: Asked): Promise<void> {
    const answer = await answerFor(own, wants, question).catch(() => undefined)
    const answered: Answered = { isReady: own.find(question.appId)?.isReady ?? false, ...answer, to: from, id }
    await busOf(this.store).tell(answerTopic, answered, from)
  }

  private receive(answer: Answered): void {
    this.waiting.get(answer.id)?.(answer)
  }
}

async function answerFor(
  own: SegmentIndexes,
  wants: keyof Answers,
  question: IndexQuestion,
): Promise<Omit<Answer, 'isReady'>> {
  if (wants !== 'list') return { [wants]: await own[wants](question) }
  const parts = await own.list(question)
  return { list: parts && packParts(parts) }
}
