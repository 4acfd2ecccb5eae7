import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Turnstile } from './turnstile.ts'

it('lets in at once who comes alone or with a few', () => {
  const turnstile = new Turnstile()
  expect(Array.from({ length: 20 }, () => turnstile.enter())).toEqual(Array(20).fill(undefined))
})

it('lets a crowd in by the group, in the order they came, and each of them', async () => {
  const turnstile = new Turnstile()
  const inside: number[] = []
  const crowd = Array.from({ length: 300 }, async (_, index) => {
    await turnstile.enter()
    inside.push(index)
  })
  await sleep(0)
  expect(inside.length).toBeLessThan(100)
  await Promise.all(crowd)
  expect(inside).toEqual(Array.from({ length: 300 }, (_, index) => index))
})

it('lets a crowd in although the process is never idle', async () => {
  const turnstile = new Turnstile()
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
      await turnstile.enter()
      inside++
    }),
  )
  isOver = true
  await busy
  expect(inside).toBe(80)
})
