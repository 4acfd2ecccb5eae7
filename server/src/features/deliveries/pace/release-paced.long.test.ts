import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { addDevices, createDelivery } from '../../../../../test/helpers/delivery.ts'
import { until } from '../../../../../test/helpers/runner/until.ts'
import { openStore } from '../../../base/store/store.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { getMessage } from '../read/get-message.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

const perMinute = 600
const perSecond = perMinute / 60
const installations = 800

/** How many installations wait for their turn. */
async function readLeft(appId: number): Promise<{ left: number; isExpanded: boolean }> {
  const [row] = await store.query<{ left: number; others: number }>(sql`
    select coalesce(sum(cardinality(installation_nos)) filter (where paced_from is not null), 0)::int as left,
      count(*) filter (where stream = 'expand')::int as others
    from delivery_batches where app_id = ${appId}`)
  return { left: row?.left ?? 0, isExpanded: row?.others === 0 }
}

it('four processes together never hand over more than the pace allows and one second’s worth', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', installations / 2)
  await addDevices(ctx, providers, 'apns', installations / 2)
  const stores = Array.from({ length: 4 }, () => openStore(store.url, { poolSize: 4 }))
  const dispatchers = stores.map((own) => startDispatcher({ store: own }))
  try {
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', throttle: { perMinute } })
    await until(
      () => readLeft(ctx.app.id),
      ({ isExpanded }) => isExpanded,
    )
    const looks: { before: number; after: number; left: number }[] = []
    await until(
      async () => {
        const before = performance.now()
        const { left } = await readLeft(ctx.app.id)
        looks.push({ before, after: performance.now(), left })
        return getMessage(ctx, { id })
      },
      ({ progress }) => progress.waiting === 0,
    )
    expect(providers.record.list({ messageId: id })).toHaveLength(installations)
    // What a provider sees of it depends on how busy the machine is; when the turn of how many came does not.
    const tooFast = looks.flatMap((first, index) =>
      looks.slice(index + 1).filter(({ after, left }) => {
        return first.left - left > (perSecond * (after - first.before)) / 1_000 + perSecond
      }),
    )
    expect(tooFast).toEqual([])
  } finally {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
    await Promise.all(stores.map((own) => own.drain().then(() => own.close())))
  }
}, 600_000)
