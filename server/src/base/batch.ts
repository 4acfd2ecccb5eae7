import type { Context } from './context.ts'
import { RequestError } from './errors.ts'
import { runAsService } from './store/pool/connection-scope.ts'
import type { Store, Transaction } from './store/store.ts'
import type { Span } from './trace/span.ts'
import { endAfter, isTracing, runAsSpan, startApart, startSpan } from './trace/tracing.ts'

const uniqueViolation = '23505'

/**
 * Group commit. Calls that arrive while a batch is being committed wait and go together in the next one, in the order
 * of their arrival; one batch of a lane runs at a time, so two calls for one user never change places. A second lane
 * lets the process read requests while the database writes; with one, batches have twice as many calls, which is
 * cheaper wherever a statement costs more than what is in it.
 *
 *   idle ──first call──▶ running: flush(items) ──▶ more waiting? ──yes──▶ running
 *                                               └──no──▶ idle
 *
 * Each caller is answered after its commit. A batch that fails for one item's sake, whatever is thrown, is halved until
 * that item is alone.
 */
export interface BatchKind<Input, Output> {
  name: string
  /** How much may go in one transaction, in units of weight. */
  maxWeight: number
  weight?: (input: Input) => number
  /** While several calls come at a time, batches begin no sooner than this one after the other: fewer of them cost less. */
  gatherMs?: number
  /** Inputs with the same key stay in order. Without it, all do. */
  laneKey?: (input: Input) => string
  /** How many batches are written at a time, where there are keys. */
  lanes?: 1 | 2
  /** For inputs that one statement can write. */
  fastPath?: {
    /** Decides before anything is written, so that an input never overtakes an earlier one with its key. */
    isEligible: (input: Input) => boolean
    /**
     * One statement, which needs no transaction around it. Undefined leaves an item to the other `flush`: then all
     * later ones with its key must be left to it, too.
     */
    flush: (store: Store, items: Input[], ctx: BatchContext) => Promise<(Output | undefined)[]>
  }
  /**
   * Gives an input the present time. Called before each attempt when one of its batch has waited for `lateMs`: what reads in
   * the order of time (features/transfer/stream) relies on rows that are hardly older than the transaction that writes them.
   */
  refresh?: (input: Input, ctx: BatchContext) => Input
  /** One answer per item, in order. A RequestError as answer is that caller's alone. */
  flush: (tx: Transaction, items: Input[], ctx: BatchContext) => Promise<(Output | RequestError)[]>
}

export type BatchContext = Pick<Context, 'store' | 'now' | 'log'>

interface Waiting<Input, Output> {
  input: Input
  appId: number
  weight: number
  addedAtMs: number
  resolve: (output: Output) => void
  reject: (error: unknown) => void
  /** Of this call, while it is traced. */
  span: Span | undefined
}

/** What has waited so long is late. */
export const lateMs = 5_000
const maxWaitingWeight = 200_000
/** One app must not fill what all wait in. */
const maxWaitingWeightOfApp = 100_000

/** Makes a verb's writer: called with one input, answers when that input is committed. */
export function defineBatch<Input, Output>(kind: BatchKind<Input, Output>) {
  const lanesOf = new WeakMap<Store, Queue<Input, Output>[]>()
  return (ctx: Context, input: Input): Promise<Output> => {
    if (ctx.tx) return kind.flush(ctx.tx, [input], ctx).then((answers) => unwrap(answers[0] as Output | RequestError))
    let lanes = lanesOf.get(ctx.store)
    if (!lanes) {
      lanes = Array.from({ length: kind.laneKey ? (kind.lanes ?? 2) : 1 }, () => new Queue(kind, ctx))
      lanesOf.set(ctx.store, lanes)
    }
    const lane = kind.laneKey ? hash(kind.laneKey(input)) % lanes.length : 0
    return (lanes[lane] as Queue<Input, Output>).add(input, ctx.app.id)
  }
}

function hash(text: string): number {
  let value = 0
  for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) >>> 0
  return value
}

function unwrap<Output>(answer: Output | RequestError): Output {
  if (answer instanceof RequestError) throw answer
  return answer
}

class Queue<Input, Output> {
  private readonly kind: BatchKind<Input, Output>
  private readonly ctx: BatchContext
  private readonly spanName: string
  private waiting: Waiting<Input, Output>[] = []
  private waitingWeight = 0
  private readonly weightOfApp = new Map<number, number>()
  private running: Promise<void> | undefined
  private lastBatch = { items: 0, begunAtMs: Number.NEGATIVE_INFINITY }
  private endGathering: (() => void) | undefined

  constructor(kind: BatchKind<Input, Output>, ctx: Context) {
    this.kind = kind
    this.spanName = `write ${kind.name}`
    this.ctx = { store: ctx.store, now: ctx.now, log: ctx.log }
    ctx.store.onDrain(async () => {
      while (this.running) await this.running
    })
  }

  add(input: Input, appId: number): Promise<Output> {
    const weight = this.kind.weight?.(input) ?? 1
    const ofApp = this.weightOfApp.get(appId) ?? 0
    const isFull = this.waitingWeight + weight > maxWaitingWeight && this.waiting.length > 0
    if (isFull || (ofApp + weight > maxWaitingWeightOfApp && ofApp > 0)) {
      return Promise.reject(
        new RequestError('store-busy', 'Too many writes are waiting for the database. Try again shortly.'),
      )
    }
    const span = startSpan(this.spanName)
    const written = new Promise<Output>((resolve, reject) => {
      this.waiting.push({ input, appId, weight, addedAtMs: performance.now(), resolve, reject, span })
      this.waitingWeight += weight
      this.weightOfApp.set(appId, ofApp + weight)
      if (this.waitingWeight >= this.kind.maxWeight) this.endGathering?.()
      this.running ??= runAsService(() => this.run())
    })
    return span ? endAfter(span, written) : written
  }

  private async run(): Promise<void> {
    // A turn of the event loop lets requests that arrived together go together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.waiting.length > 0) {
      await this.gather()
      const batch = this.takeBatch()
      this.lastBatch = { items: batch.length, begunAtMs: performance.now() }
      if (isTracing()) await runAsSpan(this.startCommit(batch), () => this.commit(batch))
      else await this.commit(batch)
    }
    this.running = undefined
  }

  /** Whoever comes alone does not wait. */
  private async gather(): Promise<void> {
    const { items, begunAtMs } = this.lastBatch
    const waitMs = begunAtMs + (this.kind.gatherMs ?? 0) - performance.now()
    if (items + this.waiting.length <= 2 || waitMs < 1 || this.waitingWeight >= this.kind.maxWeight) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      this.endGathering = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.endGathering = undefined
  }

  private takeBatch(): Waiting<Input, Output>[] {
    let weight = 0
    let count = 0
    while (count < this.waiting.length) {
      weight += this.waiting[count]?.weight ?? 0
      if (count > 0 && weight > this.kind.maxWeight) break
      count++
    }
    const batch = this.waiting.splice(0, count)
    for (const item of batch) this.forget(item)
    return batch
  }

  private forget({ appId, weight }: Waiting<Input, Output>): void {
    this.waitingWeight -= weight
    const left = (this.weightOfApp.get(appId) ?? 0) - weight
    if (left > 0) this.weightOfApp.set(appId, left)
    else this.weightOfApp.delete(appId)
  }

  private async commit(batch: Waiting<Input, Output>[]): Promise<void> {
    try {
      const rest = await this.commitFastPath(batch)
      if (rest.length > 0) await this.commitInTransaction(rest)
    } catch (error) {
      for (const item of batch) item.reject(error)
    }
  }

  /** A step of the first call that is traced, with links from and to all others. */
  private startCommit(batch: readonly Waiting<Input, Output>[]): Span | undefined {
    const parent = batch.find(({ span }) => span)?.span
    if (!parent) return undefined
    const attributes = { 'peyk.batch.calls': batch.length }
    const commit = startApart(`commit ${this.kind.name}`, { parent, attributes })
    if (!commit) return undefined
    for (const { span, addedAtMs } of batch) {
      if (!span) continue
      span.set({ 'peyk.batch.wait_ms': Math.round(performance.now() - addedAtMs) })
      if (span === parent) continue
      span.link(commit)
      commit.link(span)
    }
    return commit
  }

  /** Answers what could be written at once, and returns the rest: all of it when one item spoiled the statement. */
  private async commitFastPath(batch: Waiting<Input, Output>[]): Promise<Waiting<Input, Output>[]> {
    if (!this.kind.fastPath) return batch
    const eligible = this.findEligible(batch, this.kind.fastPath.isEligible)
    if (eligible.length === 0) return batch
    try {
      const answers = await this.kind.fastPath.flush(this.ctx.store, this.inputsOf(eligible), this.ctx)
      const answered = new Set<Waiting<Input, Output>>()
      for (const [index, item] of eligible.entries()) {
        const answer = answers[index]
        if (answer === undefined) continue
        answered.add(item)
        item.resolve(answer)
      }
      return batch.filter((item) => !answered.has(item))
    } catch (error) {
      if (isOfStore(error)) throw error
      // Another writer was as quick with one of the rows: the transaction sees it, and nothing is wrong.
      if ((error as { code?: unknown }).code !== uniqueViolation)
        this.warn(error, eligible.length, 'writes failed as one statement, and go in a transaction')
      return batch
    }
  }

  /** What is eligible for it and comes after nothing with the same key that is not. */
  private findEligible(
    batch: Waiting<Input, Output>[],
    isEligible: (input: Input) => boolean,
  ): Waiting<Input, Output>[] {
    const keyOf = this.kind.laneKey ?? (() => '')
    const held = new Set<string>()
    return batch.filter(({ input }) => {
      if (held.size > 0 && held.has(keyOf(input))) return false
      if (isEligible(input)) return true
      held.add(keyOf(input))
      return false
    })
  }

  private async commitInTransaction(batch: Waiting<Input, Output>[]): Promise<void> {
    try {
      const answers = await this.ctx.store.transaction((tx) => this.kind.flush(tx, this.inputsOf(batch), this.ctx))
      batch.forEach((item, index) => {
        const answer = answers[index] as Output | RequestError
        if (answer instanceof RequestError) item.reject(answer)
        else item.resolve(answer)
      })
    } catch (error) {
      if (isOfStore(error) || batch.length === 1) {
        for (const item of batch) item.reject(error)
        return
      }
      this.warn(error, batch.length, 'writes could not be committed together, and are tried in two halves')
      const half = batch.length >> 1
      await this.commitInTransaction(batch.slice(0, half))
      await this.commitInTransaction(batch.slice(half))
    }
  }

  /** All of them together, so that they stay in the order of time. */
  private inputsOf(batch: Waiting<Input, Output>[]): Input[] {
    const { refresh } = this.kind
    if (refresh && performance.now() - (batch[0]?.addedAtMs ?? 0) > lateMs)
      for (const item of batch) item.input = refresh(item.input, this.ctx)
    return batch.map((item) => item.input)
  }

  /** A failure that no caller hears of, because what follows may succeed. */
  private warn(error: unknown, count: number, text: string): void {
    this.ctx.log.warn({ err: error, batch: this.kind.name, count }, text)
  }
}

/** The database's trouble is that of every item alike: halving would only ask it again and again. */
function isOfStore(error: unknown): boolean {
  return error instanceof RequestError && error.status === 503
}
