import { openTwoProcesses, untilFollowed } from '@peyk/test/database/two-processes.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import { expect, it } from 'vitest'
import type { Store } from '#base/store/store.ts'
import { RecentAnswers } from './recent-answers.ts'
import type { Sender } from './sender.ts'
import { SharedSending } from './shared-sending.ts'

const [store, other] = await openTwoProcesses()
const key = '1/fcm/v1'

/** What a sender is told, where another may send the same. */
function open(of: Store) {
  const told = { rate: 0, waits: [] as number[], isBusy: true }
  const sender = {
    checkBusy: () => told.isBusy,
    setRate: (rate: number) => {
      told.rate = rate
    },
    waitAsTold: (ms: number) => told.waits.push(ms),
  } as unknown as Sender
  const sharing = new SharedSending(of, 1_000, (asked) => (asked === key ? sender : undefined))
  return { told, sender, sharing }
}

it('divides the rate among the processes that send', async () => {
  const [here, there] = [open(store), open(other)]
  await untilFollowed(store, other)
  expect([here.sharing.firstRate, there.sharing.firstRate]).toEqual([500, 500])
  here.sharing.renew(key, here.sender)
  expect(here.told.rate).toBe(1_000)
  await poll(() => there.told.rate).toBe(500)
  there.sharing.renew(key, there.sender)
  await poll(() => here.told.rate).toBe(500)
})

it('says that it sends only while it has something to send', () => {
  const { told, sender, sharing } = open(store)
  told.isBusy = false
  sharing.renew(key, sender)
  expect(told.rate).toBe(0)
})

it('has all processes wait when a provider has one wait', async () => {
  const [here, there] = [open(store), open(other)]
  await untilFollowed(store, other)
  here.sharing.tellWait(key, { ms: 7_000, isQuota: false })
  await poll(() => there.told.waits).toEqual([7_000])
  expect(here.told.waits).toEqual([])
})

it('adds up what was said of tokens', async () => {
  const [here, there] = [new RecentAnswers(store), new RecentAnswers(other)]
  await untilFollowed(other)
  here.add('1/fcm', { answered: 100, dead: 30 }, 0)
  await poll(() => there.add('1/fcm', { answered: 0, dead: 0 }, 0)).toEqual({ answered: 100, dead: 30 })
  expect(there.add('1/fcm', { answered: 50, dead: 1 }, 0)).toEqual({ answered: 150, dead: 31 })
})
