import { type Calendar, checker, panelCalendar } from '@peyk/contract'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { changeApp } from '../../accounts/apps/change-app.ts'
import { createCategory } from '../../categories/create-category.ts'
import { cancelMessage } from '../../deliveries/control/cancel-message.ts'
import { pauseMessage } from '../../deliveries/control/pause-message.ts'
import { recallMessage } from '../../deliveries/recall/recall-message.ts'
import { addInstallation } from '../../events/events.test-support.ts'
import type { Accepted } from '../../messages/accept/draft-message.ts'
import { changeScheduled } from '../../messages/schedule/change-scheduled.ts'
import { startScheduled } from '../../messages/schedule/start-scheduled.ts'
import { sendByQuery } from '../../messages/send/send-by-query.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { pauseSeries } from '../../messages/series/pause-series.ts'
import { skipNext } from '../../messages/series/skip-next.ts'
import { readCalendar } from './read-calendar.ts'

const store = await createTestStore()
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** From midnight of tomorrow on, in UTC. */
async function setUp() {
  const ctx = await createTestApp(store)
  await addInstallation(ctx, 'sara')
  const tomorrow = Math.ceil(ctx.now().getTime() / DAY) * DAY
  const toGroup = (body: object): Promise<Accepted> =>
    sendByQuery(ctx, { content: 'Hello', target: {}, ...body } as never)
  const read = async (query: Partial<Parameters<typeof readCalendar>[1]> = {}): Promise<Calendar> => {
    const calendar = await readCalendar(ctx, { from: tomorrow - DAY, to: tomorrow + 30 * DAY, zone: 'UTC', ...query })
    expect(checker(panelCalendar.answer)(structuredClone(calendar)).fault).toBeUndefined()
    return calendar
  }
  return { ctx, tomorrow, toGroup, read }
}

describe('the calendar', () => {
  it('has what is scheduled, by time, and nothing of other apps, other days, or what was cancelled', async () => {
    const { ctx, tomorrow, toGroup, read } = await setUp()
    const other = await setUp()
    await other.toGroup({ sendAt: tomorrow + HOUR })
    const late = await toGroup({ sendAt: tomorrow + 5 * HOUR, notification: { title: 'Late', body: 'It is' } })
    const early = await sendToUsers(ctx, { user: 'sara', content: 'Early', sendAt: tomorrow + 2 * HOUR })
    const cancelled = await toGroup({ sendAt: tomorrow + 3 * HOUR })
    await cancelMessage(ctx, cancelled)
    await toGroup({ sendAt: tomorrow + 40 * DAY })
    expect(await read()).toEqual({
      zone: 'UTC',
      planned: [
        { id: (early as Accepted).id, at: tomorrow + 2 * HOUR, title: 'Early', audience: 'users', count: 1 },
        { id: late.id, at: tomorrow + 5 * HOUR, title: 'Late', audience: 'query', isToAll: true, count: 1 },
      ],
      sent: [],
      crowded: [],
      isMore: false,
    })
    await changeScheduled(ctx, { id: late.id, change: { sendAt: tomorrow + 10 * DAY } })
    expect((await read({ from: tomorrow + DAY })).planned).toMatchObject([{ id: late.id, at: tomorrow + 10 * DAY }])
  })

  it('has local times where clocks of the zone show them', async () => {
    const { tomorrow, toGroup, read } = await setUp()
    const local = `${new Date(tomorrow + 3 * DAY).toISOString().slice(0, 10)}T23:30`
    const { id } = await toGroup({ sendAt: { local, zone: 'Asia/Tehran', late: 'skip' } })
    const shown = { id, localTime: { local, zone: 'Asia/Tehran', late: 'skip' } }
    expect((await read()).planned).toMatchObject([{ ...shown, at: tomorrow + 3 * DAY + 23.5 * HOUR }])
    const west = { from: tomorrow + 4 * DAY + 11 * HOUR, to: tomorrow + 5 * DAY, zone: 'Etc/GMT+12' }
    expect((await read(west)).planned).toMatchObject([{ ...shown, at: tomorrow + 4 * DAY + 11.5 * HOUR }])
    expect((await read({ to: tomorrow + 3 * DAY + 23 * HOUR })).planned).toEqual([])
  })

  it('has the occurrences of series, and later moments by the rule while they go', async () => {
    const { ctx, tomorrow, toGroup, read } = await setUp()
    const { seriesId } = await toGroup({ sendAt: tomorrow + 9 * HOUR, repeat: { rule: 'FREQ=DAILY', count: 9 } })
    const { planned } = await read()
    expect(planned.map(({ at }) => at)).toEqual(Array.from({ length: 9 }, (_, day) => tomorrow + 9 * HOUR + day * DAY))
    expect(planned.map(({ id }) => id !== undefined)).toEqual([...Array(5).fill(true), ...Array(4).fill(false)])
    expect(planned.every((entry) => entry.seriesId === seriesId && entry.isToAll)).toBe(true)

    await changeScheduled(ctx, { id: planned[1]?.id as string, change: { sendAt: tomorrow + 20 * DAY } })
    await skipNext(ctx, { id: seriesId as string })
    const moved = (await read()).planned
    expect(moved.map(({ at }) => (at - tomorrow) / DAY).filter((day) => day >= 10)).toEqual([20])
    expect(moved.at(-1)).toMatchObject({ id: planned[1]?.id, isChanged: true })
    expect(moved).toHaveLength(8)

    await pauseSeries(ctx, { id: seriesId as string })
    const paused = (await read()).planned
    expect(paused).toHaveLength(5)
    expect(paused.every(({ isPaused }) => isPaused)).toBe(true)
  })

  it('has later moments of a series at a local time', async () => {
    const { tomorrow, toGroup, read } = await setUp()
    const local = `${new Date(tomorrow + DAY).toISOString().slice(0, 10)}T09:00`
    await toGroup({ sendAt: { local, zone: 'UTC' }, repeat: { rule: 'FREQ=WEEKLY' } })
    const { planned } = await read({ from: tomorrow + 49 * DAY, to: tomorrow + 60 * DAY, zone: 'America/New_York' })
    expect(planned).toHaveLength(2)
    expect(planned.every(({ id, localTime }) => id === undefined && localTime?.local.endsWith('T09:00:00'))).toBe(true)
    const clock = new Intl.DateTimeFormat('en', { timeZone: 'America/New_York', hour: 'numeric', hourCycle: 'h23' })
    expect(planned.map(({ at }) => clock.format(at))).toEqual(['09', '09'])
  })

  it('has what went to groups, by day, with the first of many', async () => {
    const { ctx, tomorrow, toGroup, read } = await setUp()
    await sendToUsers(ctx, { user: 'sara', content: 'Personal' })
    const cancelled = await toGroup({})
    await cancelMessage(ctx, cancelled)
    const first = await toGroup({ sendAt: tomorrow + 9 * HOUR, notification: { title: 'Went early', body: 'x' } })
    await store.query(sql`
      update scheduled_messages set due_at = peyk_now(), available_at = peyk_now() where app_id = ${ctx.app.id}`)
    while (await startScheduled(ctx));
    await pauseMessage(ctx, first)
    for (let count = 0; count < 9; count++) await toGroup({ notification: { title: `No. ${count}`, body: 'x' } })
    const [day, ...more] = (await read()).sent
    expect(more).toEqual([])
    expect(day).toMatchObject({ day: tomorrow - DAY, count: 10 })
    expect(day?.first).toHaveLength(8)
    expect(day?.first[0]).toMatchObject({ id: first.id, title: 'Went early', state: 'paused', isToAll: true, count: 1 })
    expect(day?.first[1]).toMatchObject({ title: 'No. 0', state: 'sending' })
    expect((await read({ from: tomorrow })).sent).toEqual([])
  })

  it('keeps what was cancelled or recalled after some devices got it', async () => {
    const { ctx, tomorrow, toGroup, read } = await setUp()
    for (let count = 0; count < 29; count++) await addInstallation(ctx, `user-${count}`)
    const sent = async (state: string) => {
      const { id } = await toGroup({ notification: { title: state, body: 'x' } })
      await store.query(sql`
        insert into deliveries (app_id, message_id, installation_no, state)
        select app_id, ${id}, installation_no, 'sent' from installations where app_id = ${ctx.app.id}`)
      await store.query(sql`
        insert into delivery_counters (app_id, message_id, slot, state, count, first_at, last_at)
        values (${ctx.app.id}, ${id}, 0, 'sent', 30, peyk_now(), peyk_now())`)
      return { id }
    }
    const recalled = await sent('recalled')
    const cancelled = await sent('cancelled')
    await cancelMessage(ctx, await toGroup({ notification: { title: 'nobody', body: 'x' } }))
    await cancelMessage(ctx, cancelled)
    await recallMessage(ctx, recalled)
    const [day] = (await read()).sent
    expect(day).toMatchObject({ day: tomorrow - DAY, count: 2 })
    expect(day?.first.map(({ title, state }) => [title, state])).toEqual([
      ['recalled', 'recalled'],
      ['cancelled', 'cancelled'],
    ])
  })

  it('keeps what was cancelled after the one device of its group got it', async () => {
    const { ctx, toGroup, read } = await setUp()
    const message = await toGroup({})
    await store.query(sql`
      insert into deliveries (app_id, message_id, installation_no, state)
      select app_id, ${message.id}, installation_no, 'opened' from installations where app_id = ${ctx.app.id}`)
    await recallMessage(ctx, message)
    expect((await read()).sent).toMatchObject([{ count: 1, first: [{ id: message.id, state: 'recalled' }] }])
  })

  it('marks days that are over a cap, and messages to everybody that are close together', async () => {
    const { ctx, tomorrow, toGroup, read } = await setUp()
    await createCategory(ctx, { id: 'news', name: { en: 'News' } })
    const cap = { count: 1, window: '24h' }
    await changeApp(ctx, { caps: [cap] })
    await toGroup({ sendAt: tomorrow + 9 * HOUR, category: 'news' })
    await toGroup({ sendAt: tomorrow + 9.5 * HOUR })
    await sendToUsers(ctx, { user: 'sara', content: 'x', category: 'news', sendAt: tomorrow + 9.75 * HOUR })
    expect((await read()).crowded).toEqual([])
    expect((await read()).planned.map(({ isClose }) => isClose)).toEqual([true, true, undefined])
    await toGroup({ sendAt: tomorrow + 32 * HOUR, category: 'news' })
    expect((await read()).crowded).toEqual([{ day: tomorrow + DAY, count: 2, cap }])
    expect((await read({ from: tomorrow + DAY })).crowded).toHaveLength(1)
  })

  it('refuses what it cannot show', async () => {
    const { tomorrow, read } = await setUp()
    const refused = (query: object) => expect(read(query)).rejects
    await refused({ to: tomorrow - DAY }).toMatchObject({ code: 'invalid-request', details: { field: 'to' } })
    await refused({ to: tomorrow + 63 * DAY }).toMatchObject({ code: 'invalid-request', details: { field: 'to' } })
    await refused({ zone: 'Europe/Atlantis' }).toMatchObject({ code: 'invalid-request', details: { field: 'zone' } })
  })
})
