import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { expect, it } from 'vitest'
import { runAlone } from '../store/run-alone.ts'
import { callOnce } from './call-once.ts'
import { checkOutbound } from './check-outbound.ts'

const store = await createTestStore()
const call = () => callOnce('http://127.0.0.1:9/', { method: 'GET' })
const check = () => checkOutbound('https://192.0.2.1/', { localOrigins: [] })

it('nothing is called outwards, nor a name looked up, while a transaction is open', async () => {
  for (const work of [call, check] as (() => Promise<unknown>)[]) {
    await expect(store.transaction(() => work())).rejects.toThrow('while a transaction is open')
    await expect(work()).resolves.toBeDefined()
  }
})

it('work that merely holds a lock may call', async () => {
  expect(await runAlone(store, 'calling', call)).toBe(true)
})

it('what goes on after a transaction may call', async () => {
  const ctx = await createTestApp(store)
  await ctx.store.transaction(async () => undefined)
  await expect(call()).resolves.toBeDefined()
})
