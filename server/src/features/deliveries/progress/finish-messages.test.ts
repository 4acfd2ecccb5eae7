import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { getMessage } from '../read/get-message.ts'
import { advanceDeliveries } from './advance-deliveries.ts'
import { expireDeliveries } from './expire-deliveries.ts'
import { finishMessages } from './finish-messages.ts'

const store = await createTestStore()

describe('a group message', () => {
  it('is finished when the work-list holds nothing of it any more', async () => {
    const ctx = await createTestApp(store)
    await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
    await finishMessages(ctx)
    expect((await getMessage(ctx, { id })).progress.finishedAt).toBeUndefined()
    await store.query(sql`update delivery_batches set state = 'paused' where app_id = ${ctx.app.id}`)
    await finishMessages(ctx)
    expect((await getMessage(ctx, { id })).progress.finishedAt).toBeUndefined()
    await store.query(sql`delete from delivery_batches where app_id = ${ctx.app.id}`)
    await finishMessages(ctx)
    expect((await getMessage(ctx, { id })).progress.finishedAt).toBeDefined()
  })

  it('to nobody is finished at once', async () => {
    const ctx = await createTestApp(store)
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello' })
    await finishMessages(ctx)
    expect((await getMessage(ctx, { id })).progress.finishedAt).toBeDefined()
  })
})

describe('what waits in the inbox', () => {
  it('ends when the message expires, and not before', async () => {
    const ctx = await createTestApp(store)
    await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
    const { id } = (await sendToUsers(ctx, { user: 'sara', content: 'Hello', ttl: 3_600 })) as { id: string }
    await store.transaction(async (tx) => {
      const [row] = await tx.query<{ installation_no: number }>(
        sql`select installation_no from installations where app_id = ${ctx.app.id}`,
      )
      const installationNo = row?.installation_no as number
      await tx.query(sql`delete from delivery_batches where app_id = ${ctx.app.id}`)
      await advanceDeliveries(tx, [
        { appId: ctx.app.id, messageId: id, installationNo, state: 'queued', at: ctx.now() },
      ])
    })
    await expireDeliveries(ctx)
    expect((await getMessage(ctx, { id })).states).toMatchObject({ queued: 1, ended: 0 })
    await store.query(sql`update messages set expires_at = now() where app_id = ${ctx.app.id}`)
    await expireDeliveries(ctx)
    expect(await getMessage(ctx, { id })).toMatchObject({ states: { queued: 0, ended: 1 }, reasons: { expired: 1 } })
  })
})
