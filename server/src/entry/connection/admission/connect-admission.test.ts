import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ConnectAdmission } from './connect-admission.ts'

it('lets in at once who comes alone or with a few', () => {
  const connectAdmission = new ConnectAdmission()
  expect(Array.from({ length: 20 }, () => connectAdmission.enter())).toEqual(Array(20).fill(undefined))
})

it('lets a crowd in by the group, in the order they came, and each of them', async () => {
  const connectAdmission = new ConnectAdmission()
  const inside: number[] = []
  const crowd = Array.from({ length: 300 }, async (_, index) => {
    await connectAdmission.enter()
    inside.push(index)
  })
  await sleep(0)
  expect(inside.length).toBeLessThan(100)
  await Promise.all(crowd)
  expect(inside).toEqual(Array.from({ length: 300 }, (_, index) => index))
})

it('lets a crowd in although the process is never idle', async () => {
  const connectAdmission = new ConnectAdmission()
  let isOver = false
  const busy = (async () => {
    while (!isOver) {
      for (const until = performance.now() + 5; performance.now() < until; );
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  let inside = 0
  await Promise.all(
    Array.from({ length: 80 }, async () => {
      await connectAdmission.enter()
      inside++
    }),
  )
  isOver = true
  await busy
  expect(inside).toBe(80)
})
