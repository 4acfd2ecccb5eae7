import { Worker } from 'node:worker_threads'
import type { Answers, FromIndex, IndexTask, Question } from './index-messages.ts'

const MB = 1_048_576

/** Why an index ended. */
export type IndexEnd = { isTooLarge: boolean; reason: string }

/** One app's index, which a thread keeps. Nothing here waits for the thread longer than it is told to. */
export class SegmentIndex {
  isReady = false
  /** When the thread last said anything. */
  heardMs = performance.now()
  /** How much log it has not read, as of the last look. */
  behindBytes = 0
  status = { position: 0, bytes: 0, installations: 0 }
  /** May never settle. */
  readonly ready: Promise<void>
  /** Settles once, however it ends. */
  readonly ended: Promise<IndexEnd>
  private readonly worker: Worker
  private readonly waiting = new Map<number, (answer: Answers[keyof Answers] | undefined) => void>()
  private questions = 0
  private isTooLarge = false
  private closedFor: string | undefined
  private settleReady: () => void = () => undefined

  constructor(task: IndexTask) {
    this.worker = new Worker(new URL('./index-thread.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: Math.max(64, Math.ceil(task.mostBytes / MB)) },
    })
    this.worker.unref()
    this.worker.on('message', (message: FromIndex) => this.hear(message))
    this.ready = new Promise((resolve) => {
      this.settleReady = resolve
    })
    this.ended = new Promise((resolve) => {
      let reason = 'its thread ended'
      this.worker.on('error', (error: Error & { code?: string }) => {
        reason = error.message
        this.isTooLarge ||= error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error instanceof RangeError
      })
      this.worker.on('exit', () => {
        this.isReady = false
        for (const settle of this.waiting.values()) settle(undefined)
        this.waiting.clear()
        resolve({ isTooLarge: this.isTooLarge, reason: this.closedFor ?? reason })
      })
    })
  }

  /** Undefined where SQL has to be asked. */
  ask<Wanted extends keyof Answers>(
    wants: Wanted,
    question: Omit<Question, 'id' | 'wants'>,
    waitMs: number,
  ): Promise<Answers[Wanted] | undefined> {
    if (!this.isReady) return Promise.resolve(undefined)
    const id = ++this.questions
    return new Promise((resolve) => {
      const settle = (answer: Answers[keyof Answers] | undefined) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(answer as Answers[Wanted] | undefined)
      }
      const timer = setTimeout(() => settle(undefined), waitMs)
      this.waiting.set(id, settle)
      this.worker.postMessage({ id, wants, ...question } satisfies Question)
    })
  }

  /** Unless it is wanted, there is a reason. */
  async close(reason?: string): Promise<void> {
    this.closedFor ??= reason
    await this.worker.terminate()
  }

  private hear(message: FromIndex): void {
    this.heardMs = performance.now()
    switch (message.kind) {
      case 'ready':
        this.isReady = true
        this.settleReady()
        return
      case 'status': {
        const { position, bytes, installations } = message
        this.status = { position, bytes, installations }
        return
      }
      case 'answer':
        this.waiting.get(message.id)?.(message.answer)
        return
      case 'too-large':
        this.isTooLarge = true
    }
  }
}
