import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { findWinner } from './find-winner.ts'

const store = await createTestStore()
const at = new Date('2026-11-18T12:00Z')
const minutes = (count: number) => new Date(at.getTime() + count * 60_000)
const test = {
  variants: [
    { name: 'A', share: 50 },
    { name: 'B', share: 50 },
  ],
  winner: { by: 'opened', after: '1h', testShare: 20, otherwise: 'A' },
}

async function createMessage(batches: { state?: string; awaitsWinner?: boolean }[] = []) {
  const { app } = await createTestApp(store)
  const id = timeOrderedId(at)
  await store.query(sql`
    insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body)
    values (${app.id}, ${id}, ${at}, ${minutes(600)}, 100, 'notification', 'query', 'default', ${JSON.stringify(test)}::jsonb)`)
  for (const { state = 'queued', awaitsWinner } of batches) {
    await store.query(sql`
      insert into delivery_batches (app_id, message_id, lane, state, installation_nos, awaits_winner)
      values (${app.id}, ${id}, 'group', ${state}, '{1}', ${awaitsWinner ?? null})`)
  }
  return { appId: app.id, id, trackId: undefined, test }
}

function handOver({ appId, id }: { appId: number; id: string }, installationNo: number, testedAt: Date) {
  return store.query(sql`
    insert into deliveries (app_id, message_id, installation_no, state, variant, tested_at)
    values (${appId}, ${id}, ${installationNo}, 'sent', 'A', ${testedAt})`)
}

describe('the winner of a test', () => {
  it('is not decided while some of the test is in the work-list, however late it is', async () => {
    const message = await createMessage([{}, { awaitsWinner: true }])
    await handOver(message, 1, at)
    expect(await findWinner(store, message, minutes(90))).toEqual({ waitsUntil: minutes(150) })
  })

  it('is due an hour after the last hand-over of the test', async () => {
    const message = await createMessage([{ awaitsWinner: true }])
    await handOver(message, 1, at)
    await handOver(message, 2, minutes(30))
    expect(await findWinner(store, message, minutes(89))).toEqual({ waitsUntil: minutes(90) })
    expect(await findWinner(store, message, minutes(90))).toMatchObject({ variant: 'A', why: 'notEnoughData' })
  })

  it('does not wait for what a paused provider keeps', async () => {
    const message = await createMessage([{ awaitsWinner: true }, { state: 'paused' }])
    await handOver(message, 1, at)
    expect(await findWinner(store, message, minutes(60))).toMatchObject({ variant: 'A' })
  })

  it('is due an hour after the message where nobody was in the test', async () => {
    const message = await createMessage([{ awaitsWinner: true }])
    expect(await findWinner(store, message, minutes(59))).toEqual({ waitsUntil: minutes(60) })
    expect(await findWinner(store, message, minutes(60))).toMatchObject({ variant: 'A' })
  })

  it('is not decided any more when the message has expired', async () => {
    const message = await createMessage([{ awaitsWinner: true }])
    expect(await findWinner(store, message, minutes(600))).toHaveProperty('waitsUntil')
  })

  it('stays what it is, whatever comes later', async () => {
    const message = await createMessage([{ awaitsWinner: true }])
    const first = await findWinner(store, message, minutes(60))
    await handOver(message, 1, minutes(70))
    expect(await findWinner(store, message, minutes(300))).toEqual(first)
  })
})
