import { randomUUID } from 'node:crypto'
import { leaveMessage, readDelivery } from '@peyk/test/connection.ts'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { changeForeground } from '../../installations/connections/change-foreground.ts'
import { connectInstallation } from '../../installations/connections/connect-installation.ts'
import { disconnectInstallation } from '../../installations/connections/disconnect-installation.ts'
import { holdConnections } from '../../installations/connections/hold-connections.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { endLiveMessages } from './end-live-messages.ts'
import { recordLiveSent } from './record-live-sent.ts'

const store = await createTestStore()
const holder = randomUUID()
const live = { body: { content: 'now', live: true } }

async function connect(ctx: Context, userId = 'ali') {
  await holdConnections(ctx, { holder, aliveMs: 15_000, listHeld: () => [] })
  const { id: installationId } = await registerInstallation(ctx, { deviceType: 'android', userId, isGuest: false })
  const connectionId = randomUUID()
  const entered = { installationId, userId, holder, connectionId, isClean: false }
  const { installationNo } = await connectInstallation(ctx, entered)
  const leave = () => disconnectInstallation(ctx, { installationId, installationNo, connectionId, unacknowledged: [] })
  const end = () => endLiveMessages(ctx, { installations: [{ appId: ctx.app.id, installationNo }] })
  return { installationId, installationNo, connectionId, leave, end }
}

describe('a live message in an inbox', () => {
  it('waits while its client is there, and has ended when it has left', async () => {
    const ctx = await createTestApp(store)
    const client = await connect(ctx)
    const id = await leaveMessage(ctx, client.installationId, live)
    const kept = await leaveMessage(ctx, client.installationId)
    expect(await client.end()).toEqual({ count: 0 })
    await client.leave()
    expect(await client.end()).toEqual({ count: 1 })
    expect(await readDelivery(ctx, id)).toEqual({ state: 'ended', reason: 'expired', in_inbox: false })
    expect(await readDelivery(ctx, kept)).toMatchObject({ state: 'queued', in_inbox: true })
    expect(await client.end()).toEqual({ count: 0 })
  })

  it('has ended when the app is in the background, or connected only after it was sent', async () => {
    const ctx = await createTestApp(store)
    const client = await connect(ctx)
    const before = await leaveMessage(ctx, client.installationId, { ...live, at: new Date(Date.now() - 60_000) })
    expect(await client.end()).toEqual({ count: 1 })
    expect(await readDelivery(ctx, before)).toMatchObject({ reason: 'expired' })
    const hidden = await leaveMessage(ctx, client.installationId, live)
    await changeForeground(ctx, { ...client, isOpen: false })
    expect(await client.end()).toEqual({ count: 1 })
    expect(await readDelivery(ctx, hidden)).toMatchObject({ reason: 'expired' })
  })

  it('that was sent at the last moment stays sent', async () => {
    const ctx = await createTestApp(store)
    const client = await connect(ctx)
    const id = await leaveMessage(ctx, client.installationId, live)
    await client.leave()
    let ending: ReturnType<typeof client.end> | undefined
    await store.transaction(async (tx) => {
      await tx.query(sql`
        update deliveries set state = 'sent', in_inbox = false where app_id = ${ctx.app.id} and message_id = ${id}`)
      ending = client.end()
      await until(
        () =>
          store.query(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        (waiting) => waiting.length > 0,
      )
    })
    expect(await ending).toEqual({ count: 0 })
    expect(await readDelivery(ctx, id)).toMatchObject({ state: 'sent' })
  })

  it('that its client cannot take has ended', async () => {
    const ctx = await createTestApp(store)
    const { installationId, installationNo } = await connect(ctx)
    const id = await leaveMessage(ctx, installationId, live)
    await recordLiveSent(ctx, { messageId: id, installationNo, isSent: false })
    expect(await readDelivery(ctx, id)).toEqual({ state: 'ended', reason: 'expired', in_inbox: false })
  })

  it('of another app is left alone', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    const [mine, theirs] = [await connect(ctx), await connect(other)]
    const id = await leaveMessage(other, theirs.installationId, live)
    await Promise.all([mine.leave(), theirs.leave()])
    await endLiveMessages(ctx, { installations: [{ appId: ctx.app.id, installationNo: theirs.installationNo }] })
    expect(await readDelivery(other, id)).toMatchObject({ state: 'queued' })
  })
})
