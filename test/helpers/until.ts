import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { onTestFinished, TestRunner } from 'vitest'
import { waitLimitMs } from './wait-limit.ts'

const askAgainMs = 20

/**
 * Asks until the answer is right, and returns it. Fails after a minute, or when the test is over, with the last answer:
 * nobody goes on asking in a process that other tests share.
 */
export async function until<T>(
  ask: () => Promise<T> | T,
  isMet: (value: T) => boolean,
  limitMs: number = waitLimitMs,
): Promise<T> {
  const failure = new Error()
  Error.captureStackTrace(failure, until)
  const isTestOver = watchTest()
  const endsAt = performance.now() + limitMs
  for (;;) {
    const value = await ask()
    if (isMet(value)) return value
    const isLate = performance.now() >= endsAt
    if (isLate || isTestOver()) {
      const why = isLate
        ? `waited ${limitMs / 1_000} seconds in vain`
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
