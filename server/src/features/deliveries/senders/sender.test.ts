import { until } from '@peyk/test/runner/until.ts'
import { describe, expect, it } from 'vitest'
import type { Payload } from '../../messages/payloads/payload.ts'
import { type BatchRow, HeldBatch, type MessageInWork } from '../dispatch/held-batch.ts'
import type { Outcome, Push } from '../provider.ts'
import { Sender } from './sender.ts'

const payload: Payload = { provider: 'fcm', fields: '' }
const wait = { kind: 'later', retryAfterMs: 10_000, isForAll: false, detail: '' } as const

/** A sender whose provider answers what it is told to, and a batch of so many that was given to it. */
function giveBatch(
  count: number,
  answer: (nth: number, push: Push) => Outcome,
  onWait: (wait: { ms: number }) => void = () => undefined,
) {
  let asked = 0
  const provider = {
    name: 'fcm' as const,
    send: async (push: Push) => answer(++asked, push),
    checkCredentials: async () => ({ kind: 'accepted' as const }),
    close: async () => {},
  }
  const options = { ratePerSecond: 10_000, maxInFlight: 1, maxWaiting: 1_000, now: () => new Date(), onRoom: () => {} }
  const findChanged = async () => new Set<never>()
  const sender = new Sender(provider, {
    ...options,
    findChanged,
    onPaused: async () => {},
    onOutcome: () => {},
    onWait,
  })
  const message = { id: '', standing: 'running', expiresAt: new Date(Date.now() + 60_000) } as MessageInWork
  const installationNos = Array.from({ length: count }, (_, index) => index)
  const row = { lane: 'group', attempts: 1, installationNos } as unknown as BatchRow
  const batch = new HeldBatch(row, message, performance.now() + 60_000, () => {})
  for (const installationNo of installationNos) {
    sender.submit({ batch, installationNo, token: '', tokenChangedAt: null, payload, wasUnclear: false })
  }
  return { sender, batch, asked: () => asked }
}

it('withdraws what waits for a connection when the lease of its batch has ended: another process has it by then', async () => {
  const wanted: ((isNext: boolean) => boolean)[] = []
  const { batch } = giveBatch(1, (_nth, { isWanted }) => {
    if (isWanted) wanted.push(isWanted)
    return { kind: 'accepted' }
  })
  await until(
    () => wanted.length,
    (count) => count === 1,
  )
  const [isWanted] = wanted as [(isNext: boolean) => boolean]
  expect(isWanted(true)).toBe(true)
  batch.leasedUntilMs = performance.now() - 1
  expect(isWanted(true)).toBe(false)
  expect(batch.isLost).toBe(true)
})

describe('the breaker', () => {
  it('opens after five faults in a row', async () => {
    const { sender, asked } = giveBatch(50, () => ({ ...wait, isFault: true }))
    await until(
      () => sender.hasRoom,
      (hasRoom) => !hasRoom,
    )
    expect(asked()).toBe(5)
    sender.close()
  })

  it('stays closed when one device is to be left alone, also when all of them are', async () => {
    const { sender, batch, asked } = giveBatch(50, () => wait)
    await until(
      () => batch.open,
      (open) => open === 0,
    )
    expect({ asked: asked(), hasRoom: sender.hasRoom }).toEqual({ asked: 50, hasRoom: true })
  })

  it('forgets faults when a push was taken in between', async () => {
    const { sender, batch } = giveBatch(50, (nth) =>
      nth % 5 === 0 ? { kind: 'accepted' } : { ...wait, isFault: true },
    )
    await until(
      () => batch.open,
      (open) => open === 0,
    )
    expect(sender.hasRoom).toBe(true)
  })
})

describe('beside other processes', () => {
  it('tells what it has to wait, and waits when it is told to', async () => {
    const waits: number[] = []
    const { sender } = giveBatch(
      1,
      () => ({ ...wait, isForAll: true }),
      ({ ms }) => waits.push(ms),
    )
    await until(
      () => waits.length,
      (count) => count === 1,
    )
    expect(Math.round(waits[0] as number)).toBe(10_000)
    sender.close()

    const calm = giveBatch(
      0,
      () => ({ kind: 'accepted' }),
      ({ ms }) => waits.push(ms),
    ).sender
    calm.waitAsTold(5_000, true)
    expect([calm.state, calm.hasRoom, waits.length]).toEqual(['blocked', false, 1])
    calm.close()
  })
})
