import { silentLog } from '@peyk/test/database/test-store.ts'
import { expect, it } from 'vitest'
import { CleanupSteps } from './cleanup-steps.ts'

it('stops what was started in the opposite order, past those that fail or hang', async () => {
  const cleanup = new CleanupSteps()
  const stopped: string[] = []
  const step = (what: string, end?: () => Promise<void>) => ({
    what,
    limitMs: 50,
    run: async () => {
      stopped.push(what)
      await end?.()
    },
  })
  cleanup.add(step('first'))
  cleanup.add(step('failing', () => Promise.reject(new Error('no'))))
  cleanup.add(step('hanging', () => new Promise(() => {})))
  cleanup.add(step('last'))
  await cleanup.runAll(silentLog)
  await cleanup.runAll(silentLog)
  expect(stopped).toEqual(['last', 'hanging', 'failing', 'first'])
})
