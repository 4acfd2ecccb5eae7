import { openTwoProcesses, untilFollowed } from '@peyk/test/database/two-processes.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'
import { busOf } from './bus.ts'
import { announceWork, onWork } from './wake.ts'

const [api, worker] = await openTwoProcesses()

it('work of a process that does none itself wakes the others; one that does keeps it to itself', async () => {
  const woken = { api: 0, worker: 0 }
  const stop = onWork(worker, () => woken.worker++)
  await untilFollowed(worker)
  for (let times = 0; times < 100; times++) announceWork(api)
  await until(() => woken.worker, Boolean)
  expect(woken.worker).toBeLessThan(100)

  onWork(api, () => woken.api++)
  const before = woken.worker
  announceWork(api)
  expect(woken.api).toBe(1)
  const heard: unknown[] = []
  busOf(worker).on('after', (body) => heard.push(body))
  await untilFollowed(worker)
  await busOf(api).tell('after', null)
  await until(() => heard.length, Boolean)
  expect(woken.worker).toBe(before)
  stop()
})

it('nobody is told where nobody else is', async () => {
  busOf(worker).peers.record([], performance.now())
  announceWork(worker)
  await busOf(worker).tell('nothing', null)
})
