import { poll as pollEvery } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import { RetryLoop, type StepResult } from './retry-loop.ts'

const poll = <T>(read: () => T) => pollEvery(read, { interval: 5 })

/** A loop whose pauses end when the test says so. Its time is its own: files share a process and its timers. */
function loopOf(results: StepResult[], inStep: (loop: RetryLoop) => void = () => undefined) {
  const at: number[] = []
  const time = { nowMs: 0, pause: undefined as { ms: number; end: () => void } | undefined }
  let running = 0
  const step = async () => {
    expect(++running).toBe(1)
    at.push(time.nowMs)
    await new Promise((resolve) => setImmediate(resolve))
    inStep(loop)
    running--
    return results.shift() ?? 'idle'
  }
  const loop: RetryLoop = new RetryLoop(step, (ms, end) => {
    time.pause = { ms, end }
    return () => {
      time.pause = undefined
    }
  })
  const passPause = () => {
    const { pause } = time
    time.pause = undefined
    time.nowMs += pause?.ms ?? 0
    pause?.end()
  }
  return { loop, at, isPausing: () => time.pause !== undefined, passPause }
}

it('goes on while there is something to do, and sleeps then', async () => {
  const { loop, at } = loopOf(['again', 'again'])
  loop.wake()
  loop.wake()
  await poll(() => at.length).toBe(3)
  loop.wake()
  await poll(() => at.length).toBe(4)
})

/** The pauses between so many steps. */
async function measurePauses({ loop, at, isPausing, passPause }: ReturnType<typeof loopOf>, count: number) {
  loop.wake()
  for (let step = 1; step <= count; step++) {
    await poll(isPausing).toBe(true)
    loop.wake()
    passPause()
    await poll(() => at.length).toBe(step + 1)
  }
  return at.slice(1).map((time, index) => time - (at[index] as number))
}

it('pauses longer each time, however often it is woken', async () => {
  const pauses = await measurePauses(loopOf(['later', 'later', 'later']), 3)
  for (const [index, shortestMs] of [200, 400, 800].entries()) {
    expect(pauses[index]).toBeGreaterThanOrEqual(shortestMs)
    expect(pauses[index]).toBeLessThanOrEqual(1.5 * shortestMs)
  }
})

it('pauses shortly again after a step that has come through', async () => {
  const results = Array.from({ length: 10 }, (): StepResult => 'later')
  const pauses = await measurePauses(
    loopOf(results, (running) => running.succeed()),
    10,
  )
  expect(Math.max(...pauses)).toBeLessThanOrEqual(300)
})

it('goes on at once when the reason for the pause is over, and never again when it is closed', async () => {
  const { loop, at, isPausing } = loopOf(['later', 'later', 'later', 'later', 'later', 'later', 'later'])
  for (let runs = 1; runs <= 7; runs++) {
    loop.wake({ endPause: true })
    await poll(() => at.length).toBe(runs)
    await poll(isPausing).toBe(true)
  }
  loop.close()
  loop.wake({ endPause: true })
  await new Promise((resolve) => setImmediate(resolve))
  expect(at).toHaveLength(7)
})
