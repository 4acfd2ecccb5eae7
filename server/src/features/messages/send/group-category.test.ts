import type { AnyNotification } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { RequestError } from '#base/errors.ts'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { getOwnApp } from '../../accounts/apps/get-own-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { deleteCategory } from '../../categories/delete-category.ts'
import { previewSend } from '../../deliveries/dry-run/preview-send.ts'
import type { Accepted } from '../accept/draft-message.ts'
import { addInstallation } from '../installation-rows.test-support.ts'
import { changeScheduled } from '../schedule/change-scheduled.ts'
import { changeSeries } from '../series/change-series.ts'
import { getMessageRow } from '../stored/get-message-row.ts'
import { notifyUsers } from './notify-users.ts'
import { sendByQuery } from './send-by-query.ts'
import { sendToUsers } from './send-to-users.ts'

const store = await createTestStore()
const content = 'Hello'
const everybody = { all: [{ name: 'userId', operator: 'equal_to', value: 'sara' }] }
const later = () => Date.now() + 3_600_000

async function setUp() {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  for (const id of ['news', 'orders']) await createCategory(ctx, { id, name: { en: id } })
  await changeApp(ctx, { groupCategory: 'news' })
  const categoryOf = async (sent: Accepted | Accepted[]) =>
    (await getMessageRow(ctx, ([sent].flat()[0] as Accepted).id)).body.category
  return { ctx, categoryOf }
}

describe('the category of sends to groups', () => {
  it('is that of a send to a group that names none', async () => {
    const { ctx, categoryOf } = await setUp()
    const sends = [
      sendByQuery(ctx, { target: {}, content }),
      sendByQuery(ctx, { segment: everybody, content, category: '' }),
      sendToUsers(ctx, { user: '*', content }),
      sendToUsers(ctx, [{ user: '*', content }]),
      notifyUsers(ctx, { target: {}, notification: { title: 'Hi' } }),
    ]
    for (const sent of await Promise.all(sends)) expect(await categoryOf(sent)).toBe('news')
  })

  it('is not that of a send that names one, or that goes to named users', async () => {
    const { ctx, categoryOf } = await setUp()
    expect(await categoryOf(await sendByQuery(ctx, { target: {}, content, category: 'orders' }))).toBe('orders')
    expect(await categoryOf(await sendByQuery(ctx, { target: {}, content, category: 'transactional' }))).toBeUndefined()
    expect(await categoryOf(await sendToUsers(ctx, { user: 'sara', content }))).toBeUndefined()
    await changeApp(ctx, { groupCategory: null })
    expect(await categoryOf(await sendByQuery(ctx, { target: {}, content }))).toBeUndefined()
  })

  it('is told by a dry run, with what it means', async () => {
    const { ctx } = await setUp()
    const preview = (sent: AnyNotification) => previewSend(ctx, { sent, product: 'message', to: 'either' })
    expect(await preview({ target: {}, content })).toMatchObject({ category: 'news', ends: { capped: 0 } })
    for (const sent of [
      { target: {}, content, category: 'transactional' },
      { user: 'sara', content },
    ]) {
      expect(await preview(sent)).not.toHaveProperty('category')
    }
  })

  it('is fixed when a message is accepted, and looked at again only when its receivers or its category change', async () => {
    const { ctx } = await setUp()
    const change = async (id: string, changed: AnyNotification) =>
      (await changeScheduled(ctx, { id, change: changed })).category
    const { id } = await sendByQuery(ctx, { target: {}, content, sendAt: later() })
    await changeApp(ctx, { groupCategory: 'orders' })
    expect(await change(id, { content: 'Other' })).toBe('news')
    expect(await change(id, { segment: everybody })).toBe('news')
    expect(await change(id, { category: '' })).toBe('orders')
    expect(await change(id, { category: 'transactional' })).toBeUndefined()
    expect(await change(id, { target: {} })).toBeUndefined()
    const named = (await sendToUsers(ctx, { user: 'sara', content, sendAt: later() })) as Accepted
    expect(await change(named.id, { content: 'Other' })).toBeUndefined()
    expect(await change(named.id, { user: '*' })).toBe('orders')
    const repeat = { rule: 'FREQ=DAILY' }
    const series = (await sendToUsers(ctx, { user: 'sara', content, sendAt: later(), repeat })) as Accepted
    const seriesId = series.seriesId as string
    expect((await changeSeries(ctx, { id: seriesId, change: { target: {} } })).message.category).toBe('orders')
  })

  it('is one of the app, and is not deleted', async () => {
    const { ctx } = await setUp()
    const set = (groupCategory: string) => changeApp(ctx, { groupCategory })
    await expect(set('tips')).rejects.toMatchObject({
      message: '"groupCategory": expected one of "news", "orders", or null for none, got "tips".',
      details: { field: 'groupCategory' },
    })
    await expect(set('transactional')).rejects.toThrow('got "transactional"')
    expect(await getOwnApp(ctx)).toMatchObject({ groupCategory: 'news' })
    await expect(deleteCategory(ctx, { id: 'news' })).rejects.toMatchObject({ code: 'in-use' })
    expect(await set('orders')).toMatchObject({ groupCategory: 'orders' })
    await deleteCategory(ctx, { id: 'news' })
    expect(await changeApp(ctx, { groupCategory: null })).not.toHaveProperty('groupCategory')
    await deleteCategory(ctx, { id: 'orders' })
    await expect(set('orders')).rejects.toThrow('"groupCategory": the app has no categories.')
  })

  it('is chosen or deleted, whichever comes first', async () => {
    const { ctx } = await setUp()
    const { deleting } = await store.transaction(async (tx) => {
      await changeApp({ ...ctx, tx }, { groupCategory: 'orders' })
      const waiting = deleteCategory(ctx, { id: 'orders' }).catch((error: RequestError) => error)
      await poll(countWaiting).toBeGreaterThan(0)
      return { deleting: waiting }
    })
    expect(await deleting).toMatchObject({ code: 'in-use' })
  })
})

async function countWaiting(): Promise<number> {
  const rows = await store.query(sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from categories%'`)
  return rows.length
}
