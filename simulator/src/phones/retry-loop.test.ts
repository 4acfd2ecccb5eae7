import { expect, it, onTestFinished, vi } from 'vitest'
import { RetryLoop, type StepResult } from './retry-loop.ts'

const poll = <T>(read: () => T) => expect.poll(read, { timeout: 30_000 })

function loopOf(results: StepResult[], inStep: (loop: RetryLoop) => void = () => undefined) {
  const at: number[] = []
  let running = 0
  const loop: RetryLoop = new RetryLoop(async () => {
    expect(++running).toBe(1)
    at.push(performance.now())
    await new Promise((resolve) => setImmediate(resolve))
    inStep(loop)
    running--
    return results.shift() ?? 'idle'
  })
  return { loop, at }
}

it('goes on while there is something to do, and sleeps then', async () => {
  const { loop, at } = loopOf(['again', 'again'])
  loop.wake()
  loop.wake()
  await poll(() => at.length).toBe(3)
  loop.wake()
  await poll(() => at.length).toBe(4)
})

it('pauses longer each time, however often it is woken', async () => {
  const { loop, at } = loopOf(['later', 'later'])
  loop.wake()
  await poll(() => at.length).toBe(1)
  loop.wake()
  await poll(() => at.length).toBe(3)
  const [first = 0, second = 0, third = 0] = at
  expect(second - first).toBeGreaterThan(190)
  expect(third - second).toBeGreaterThan(390)
})

it('pauses shortly again after a step that has come through', async () => {
  const { loop, at } = loopOf(
    Array.from({ length: 10 }, (): StepResult => 'later'),
    (running) => running.succeed(),
  )
  loop.wake()
  // Pauses that grow would add up to more than half a minute.
  await poll(() => at.length).toBe(11)
})

it('goes on at once when the reason for the pause is over, and never again when it is closed', async () => {
  const { loop, at } = loopOf(['later', 'later', 'later', 'later', 'later', 'later', 'later'])
  // No pause comes to its end by itself.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let runs = 1; runs <= 7; runs++) {
    loop.wake({ endPause: true })
    await poll(() => at.length).toBe(runs)
    await poll(() => vi.getTimerCount()).toBe(1)
  }
  loop.close()
  loop.wake({ endPause: true })
  await new Promise((resolve) => setImmediate(resolve))
  expect(at).toHaveLength(7)
})
