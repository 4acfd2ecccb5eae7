import { expect, it } from 'vitest'
import { AppShares } from './app-shares.ts'
import { runAsService, runForApp, runInTransaction } from './connection-scope.ts'

function begin(patienceMs = 60_000) {
  const shares = new AppShares({ connections: 1, waiting: 1, patienceMs })
  const ends: (() => void)[] = []
  const hold = () => shares.use(() => new Promise<void>((resolve) => ends.push(resolve)))
  const quick = () => shares.use(async () => 'done')
  return { ends, hold, quick }
}

const busy = { code: 'store-busy', status: 503, retryAfterSeconds: 2 }

it('an app waits for its own connections, and nobody else does', async () => {
  const { ends, hold, quick } = begin()
  const held = runForApp(1, hold)
  const waiting = runForApp(1, quick)
  await expect(runForApp(1, quick)).rejects.toMatchObject(busy)
  expect(await runForApp(2, quick)).toBe('done')
  expect(await quick()).toBe('done')
  expect(await runForApp(1, () => runAsService(quick))).toBe('done')
  ends[0]?.()
  await held
  expect(await waiting).toBe('done')
  expect(await runForApp(1, quick)).toBe('done')
})

it('who waits for too long is told to come again', async () => {
  const { ends, hold, quick } = begin(20)
  const held = runForApp(1, hold)
  await expect(runForApp(1, quick)).rejects.toMatchObject(busy)
  ends[0]?.()
  await held
  expect(await runForApp(1, quick)).toBe('done')
})

it('who holds a connection already does not wait for another of the same app', async () => {
  const { ends, hold, quick } = begin()
  const held = runForApp(1, hold)
  expect(await runForApp(1, () => runInTransaction(quick))).toBe('done')
  ends[0]?.()
  await held
})
