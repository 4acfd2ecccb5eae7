import { expect, test } from 'vitest'
import { createTestStore } from '../../../../test/helpers/test-store.ts'
import { runAlone } from './run-alone.ts'

const store = await createTestStore()

test('who comes while the work goes on is turned away; other work is not', async () => {
  const ran: string[] = []
  const first = await runAlone(store, 'tidy', async () => {
    ran.push('first')
    expect(await runAlone(store, 'tidy', async () => ran.push('second'))).toBe(false)
    expect(await runAlone(store, 'sweep', async () => ran.push('other'))).toBe(true)
  })
  expect(first).toBe(true)
  expect(await runAlone(store, 'tidy', async () => ran.push('third'))).toBe(true)
  expect(ran).toEqual(['first', 'other', 'third'])
})

test('work that fails leaves nothing locked', async () => {
  await expect(runAlone(store, 'tidy', () => Promise.reject(new Error('no luck')))).rejects.toThrow('no luck')
  expect(await runAlone(store, 'tidy', async () => {})).toBe(true)
})
