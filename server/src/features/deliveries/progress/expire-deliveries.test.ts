import { addDevices, createDelivery } from '@peyk/test/delivery.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, expect, it } from 'vitest'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { pauseMessage } from '../control/pause-message.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { getMessage } from '../read/get-message.ts'
import { expireDeliveries } from './expire-deliveries.ts'

const { providers, store, createApp, startDispatcher } = await createDelivery()

let dispatcher: Dispatcher
afterEach(() => dispatcher.stop())

it.each(['before it was expanded', 'after it was expanded'])(
  'a message paused %s ends when it expires',
  async (when) => {
    const ctx = await createApp()
    await addDevices(ctx, providers, 'fcm', 3)
    const { id } = await sendByQuery(ctx, { target: {}, content: 'Hello', notification: { title: 'Hello' } })
    if (when === 'after it was expanded') {
      await store.query(sql`
      update delivery_batches set stream = 'fcm', installation_nos = array(
        select installation_no from installations where app_id = ${ctx.app.id})
      where app_id = ${ctx.app.id}`)
    }
    await pauseMessage(ctx, { id })
    await store.query(sql`update messages set expires_at = now() where app_id = ${ctx.app.id}`)
    dispatcher = startDispatcher()
    await expireDeliveries(ctx)
    const { reasons } = await until(
      () => getMessage(ctx, { id }),
      ({ progress }) => progress.waiting === 0,
    )
    expect(reasons).toMatchObject({ expired: 3 })
    expect(providers.record.list({ messageId: id })).toEqual([])
  },
)
