import type { MetricsOfAll, ProcessFigures } from '#entry/http/operations/metrics-of-all.ts'
import type { ToPrimary, ToProcess } from './messages.ts'

type Beginning = Extract<ToProcess, { kind: 'begin' }>

/** The primary, from the point of view of a process that it started. */
export class Primary implements MetricsOfAll {
  readonly begun: Promise<Beginning>
  private readonly questions = new Map<number, (figures: ProcessFigures[]) => void>()
  private lastQuestion = 0
  private readOwn: (() => Promise<ProcessFigures['metrics']>) | undefined
  private end: (options: { isPlanned: boolean }) => void = () => process.exit(0)

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Beginning>()
    this.begun = promise
    process.on('message', (message: ToProcess) => {
      if (message.kind === 'begin') resolve(message)
      else this.receive(message)
    })
  }

  /** Until somebody listens there is nothing to end in order. */
  onEnd(end: (options: { isPlanned: boolean }) => void): void {
    this.end = end
  }

  showOwn(read: () => Promise<ProcessFigures['metrics']>): void {
    this.readOwn = read
  }

  gather(): Promise<ProcessFigures[]> {
    const question = ++this.lastQuestion
    return new Promise((resolve) => {
      this.questions.set(question, resolve)
      void this.tell({ kind: 'gather-metrics', question })
    })
  }

  /** Fulfilled when it has gone out, or could not. */
  tell(message: ToPrimary): Promise<void> {
    return new Promise((resolve) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
      else resolve()
    })
  }

  private receive(message: Exclude<ToProcess, Beginning>): void {
    switch (message.kind) {
      case 'end':
        this.end(message)
        return
      case 'metrics':
        this.questions.get(message.question)?.(message.figures)
        this.questions.delete(message.question)
        return
      case 'show-metrics':
        void this.readOwn?.().then((metrics) => this.tell({ kind: 'metrics', question: message.question, metrics }))
    }
  }
}
