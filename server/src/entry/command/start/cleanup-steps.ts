import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#base/log.ts'

export interface CleanupStep {
  what: string
  limitMs: number
  run(): Promise<void>
}

/** What was started, to be stopped in the opposite order. A step that fails or takes too long does not hold up the others. */
export class CleanupSteps {
  private readonly steps: CleanupStep[] = []
  private first: CleanupStep | undefined

  add(step: CleanupStep): void {
    this.first ??= step
    this.steps.push(step)
  }

  async runAll(log: Logger): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop()) {
      try {
        if (await isLate(step.run(), step.limitMs)) log.warn(`${step.what}: not done within ${step.limitMs / 1000} s`)
      } catch (error) {
        log.error({ err: error }, `${step.what}: failed`)
      }
    }
  }

  /** For who cannot wait: only what was started before all else, on which the rest stands. */
  async runFirst(): Promise<void> {
    await this.first?.run()
  }
}

async function isLate(work: Promise<void>, limitMs: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(limitMs, true, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(() => false), late])
  } finally {
    timer.abort()
  }
}
