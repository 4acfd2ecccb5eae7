import { setTimeout as delay } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'
import { onTestFinished, TestRunner } from 'vitest'
import { waitLimitMs } from './wait-limit.ts'

/** Also in tests that put a clock of their own in its place. */
const nowMs = performance.now.bind(performance)

/** How much longer than without any change a wait lasts whose answer keeps changing. */
const changingFactor = 4

/**
 * Asks until the answer is right, and returns it. Fails with the last answer when it has not changed for two minutes, when
 * it has changed for eight, or when the test is over: nobody goes on asking in a process that other tests share.
 */
export async function until<T>(
  ask: () => Promise<T> | T,
  isMet: (value: T) => boolean,
  limitMs: number = waitLimitMs,
  askAgainMs = 20,
): Promise<T> {
  const failure = new Error()
  Error.captureStackTrace(failure, until)
  const isTestOver = watchTest()
  const begunAt = nowMs()
  let changedAt = begunAt
  let last: T | undefined
  for (;;) {
    const value = await ask()
    if (isMet(value)) return value
    const now = nowMs()
    if (!isDeepStrictEqual(value, last)) changedAt = now
    last = value
    const isLate = now - changedAt >= limitMs || now - begunAt >= changingFactor * limitMs
    if (isLate || isTestOver()) {
      const why = isLate
        ? `waited ${Math.round((now - begunAt) / 1_000)} seconds in vain`
        : 'the test was over before the condition was met'
      failure.message = `${why}; the last value was ${show(value)}`
      throw failure
    }
    await delay(askAgainMs)
  }
}

/** In a hook there is no test to be over. */
function watchTest(): () => boolean {
  if (TestRunner.getCurrentTest() === undefined) return () => false
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  return () => isOver
}

function show(value: unknown): string {
  const text = inspect(value, { depth: 5, breakLength: 120 })
  return text.length > 2_000 ? `${text.slice(0, 2_000)} …` : text
}
