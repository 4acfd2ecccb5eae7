import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../../test/helpers/database/test-store.ts'
import { addInstallation } from '../../messages/installation-rows.test-support.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import type { BatchRow, MessageInWork } from './held-batch.ts'
import { MessagesInWork } from './messages-in-work.ts'
import { settleBatch } from './settle-batches.ts'
import { takeBatches } from './take-batches.ts'

const store = await createTestStore()

it.each([true, false])(
  'what became of a batch that another holds by now is not stored, all of it known: %s',
  async (isFinal) => {
    const ctx = await createTestApp(store)
    await addInstallation(ctx, 'sara')
    await sendToUsers(ctx, { user: 'sara', content: 'Hello' })
    const lease = { holder: randomUUID(), ms: 60_000 }
    const taken = await takeBatches(store, { lane: 'personal', lease, blocked: [], perStream: 100, limit: 100 })
    const row = taken.find(({ appId }) => appId === ctx.app.id) as BatchRow
    const [message] = await new MessagesInWork(store).claim([row])
    const [installationNo] = row.installationNos
    const settle = () =>
      settleBatch(ctx, {
        ...{
          appId: row.appId,
          batchNo: row.batchNo,
          lane: row.lane,
          attempts: row.attempts,
          lease,
          isFinal,
          isStopped: false,
        },
        message: message as MessageInWork,
        settled: [{ installationNo: installationNo as number, state: 'sent', provider: 'fcm', at: new Date() }],
        putBacks: [],
      })
    const readDeliveries = () => store.query(sql`select state from deliveries where app_id = ${ctx.app.id}`)
    const give = (holder: string) =>
      store.query(sql`update delivery_batches set lease_holder = ${holder} where app_id = ${ctx.app.id}`)

    const other = randomUUID()
    await give(other)
    expect(await settle()).toMatchObject({ isOurs: false })
    expect(await readDeliveries()).toEqual([])
    const left = await store.query(
      sql`select lease_holder as holder from delivery_batches where app_id = ${ctx.app.id}`,
    )
    expect(left).toEqual([{ holder: other }])

    await give(lease.holder)
    expect(await settle()).toMatchObject({ isOurs: true })
    expect(await readDeliveries()).toEqual([{ state: 'sent' }])
  },
)
