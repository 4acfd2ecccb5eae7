import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { limits } from '#base/config.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { listEvents } from '../read/list-events.ts'
import { trackClientEvents } from './track-client-events.ts'
import { trackEvent } from './track-event.ts'

const store = await createTestStore()
const ctx = await createTestApp(store)
const named = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name-${from + index}`, 1]))
const track = (eventData: Record<string, unknown>, eventName = 'Bought', userId = 'ali') =>
  trackEvent(ctx, { userId, eventName, eventData } as never)

describe('the data of an event', () => {
  it('has so many bytes', async () => {
    const text = 'é'.repeat((limits.eventDataBytes - 12) / 2)
    await track({ text })
    await expect(track({ text: `${text}é` })).rejects.toMatchObject({
      code: 'too-large',
      details: { field: 'eventData' },
    })
    await expect(track({ list: Array.from({ length: 40 }, () => 'x'.repeat(900)) })).rejects.toMatchObject({
      code: 'too-large',
    })
  })

  it('has so many names', async () => {
    await track(named(limits.eventDataNames))
    await expect(track(named(limits.eventDataNames + 1))).rejects.toMatchObject({ code: 'too-large' })
  })

  it('is left out when a client sends too much of it, and the event is kept', async () => {
    const { id } = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara', isGuest: false })
    const events = [{ id: 'e1', eventName: 'Opened', createdAt: Date.now(), data: { text: 'x'.repeat(40_000) } }]
    const answer = await trackClientEvents(ctx, { installationId: id, events } as never)
    expect(JSON.stringify(answer)).toContain('was left out')
    const { data } = await listEvents(ctx, { userId: 'sara' })
    expect(data).toMatchObject([{ eventName: 'Opened' }])
  })
})

describe('the names of an event', () => {
  it('are known to segments up to a limit; further ones are stored, and the app is told', async () => {
    for (let from = 0; from < limits.valueNamesPerEvent + 200; from += 200) await track(named(200, from), 'Viewed')
    const known = await store.query(sql`
      select count(*)::int from event_value_names where app_id = ${ctx.app.id} and event_key = 'viewed'`)
    expect(known).toEqual([{ count: limits.valueNamesPerEvent }])
    const { data } = await listEvents(ctx, { userId: 'ali', eventName: 'Viewed', limit: 1 })
    expect(data[0]?.eventData).toHaveProperty(`name-${limits.valueNamesPerEvent + 199}`, 1)
    expect(await listAlerts(ctx, {})).toMatchObject([
      { kind: 'too-many-value-names', subject: 'viewed', details: { limit: limits.valueNamesPerEvent } },
    ])
    await track({ 'name-7': 2 }, 'Viewed')
  })
})

describe('a page of events', () => {
  it('ends early when they are large, and the next one goes on', async () => {
    await track({ text: 'x' }, 'Large', 'large')
    await store.query(sql`
      insert into events (app_id, id, user_no, event_at, name, data)
      select e.app_id, e.id, e.user_no, e.event_at - n * interval '1 second', e.name,
        jsonb_build_object('text', repeat('x', 100000), 'n', n)
      from events e, generate_series(1, 250) n where e.app_id = ${ctx.app.id} and e.name = 'Large'`)

    const seen: unknown[] = []
    let pages = 0
    let cursor: string | undefined
    do {
      const page: { data: { eventData?: unknown }[]; cursor?: string } = await listEvents(ctx, {
        userId: 'large',
        limit: 1_000,
        ...(cursor !== undefined && { cursor }),
      } as never)
      seen.push(...page.data)
      expect(JSON.stringify(page).length).toBeLessThan(limits.answerBytes)
      cursor = page.cursor
      pages++
    } while (cursor !== undefined)
    expect(seen).toHaveLength(251)
    expect(pages).toBeGreaterThan(1)
  })
})
