import { setTimeout as sleep } from 'node:timers/promises'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import { ConnectAdmission } from './connect-admission.ts'

/** Each notes that it is in, and is answered when `answer` says so. */
function startCrowd(size: number, answer: () => Promise<void> = async () => {}) {
  const connectAdmission = new ConnectAdmission()
  const inside: number[] = []
  const crowd = Array.from({ length: size }, (_, index) =>
    connectAdmission.letIn(async () => {
      inside.push(index)
      await answer()
      return index
    }),
  )
  return { inside, all: Promise.all(crowd) }
}

it('lets in at once who comes alone or with a few', async () => {
  const { inside, all } = startCrowd(20)
  expect(inside).toHaveLength(20)
  await all
})

it('lets a crowd in by the group, in the order they came, and each of them', async () => {
  const { inside, all } = startCrowd(300)
  await sleep(0)
  expect(inside.length).toBeLessThan(100)
  const inOrder = Array.from({ length: 300 }, (_, index) => index)
  expect(await all).toEqual(inOrder)
  expect(inside).toEqual(inOrder)
})

it('lets the next group in when half of those before it have been answered', async () => {
  const connectAdmission = new ConnectAdmission({ longestMs: Number.POSITIVE_INFINITY })
  let mostOpen = 0
  let open = 0
  const crowd = Array.from({ length: 400 }, () =>
    connectAdmission.letIn(async () => {
      mostOpen = Math.max(mostOpen, ++open)
      await sleep(50)
      open--
    }),
  )
  await Promise.all(crowd)
  expect(mostOpen).toBeGreaterThanOrEqual(64)
  expect(mostOpen).toBeLessThanOrEqual(96)
})

it('lets the next in although those before them are not answered at all', async () => {
  const release: (() => void)[] = []
  const { inside, all } = startCrowd(150, () => new Promise((resolve) => release.push(resolve)))
  await poll(() => inside.length).toBe(150)
  for (const each of release) each()
  await all
})

it('lets in the next after one that failed', async () => {
  const connectAdmission = new ConnectAdmission()
  const crowd = Array.from({ length: 200 }, (_, index) =>
    connectAdmission.letIn(async () => {
      if (index % 2 === 0) throw new Error('refused')
    }),
  )
  const settled = await Promise.allSettled(crowd)
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(100)
})

it('lets a crowd in although the process is never idle', async () => {
  let isOver = false
  const busy = (async () => {
    while (!isOver) {
      for (const until = performance.now() + 5; performance.now() < until; );
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const { inside, all } = startCrowd(160)
  await all
  isOver = true
  await busy
  expect(inside).toHaveLength(160)
})
