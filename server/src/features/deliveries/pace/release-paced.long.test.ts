import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { isExpanded, PaceLooks } from '@peyk/test/pace-looks.ts'
import { until } from '@peyk/test/runner/until.ts'
import { expect, it } from 'vitest'
import { openStore } from '#base/store/store.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { getMessage } from '../read/get-message.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

const perMinute = 1_800
const perSecond = perMinute / 60
const installations = 800

it('four processes together never hand over more than the pace allows and one second’s worth', async () => {
  const ctx = await createApp()
  await addDevices(ctx, providers, 'fcm', installations / 2)
  await addDevices(ctx, providers, 'apns', installations / 2)
  const stores = Array.from({ length: 4 }, () => openStore(store.url, { poolSize: 4 }))
  const dispatchers = stores.map((own) => startDispatcher({ store: own }))
  try {
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', throttle: { perMinute } })
    await until(() => isExpanded(store, id), Boolean)
    const looks = new PaceLooks(id)
    await until(
      async () => {
        await looks.look(store)
        return getMessage(ctx, { id })
      },
      ({ progress }) => progress.waiting === 0,
    )
    expect(providers.record.list({ messageId: id })).toHaveLength(installations)
    // What a provider sees of it depends on how busy the machine is; when the turn of how many came does not.
    expect(looks.findTooFast(perSecond)).toEqual([])
  } finally {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
    await Promise.all(stores.map((own) => own.drain().then(() => own.close())))
  }
}, 600_000)
