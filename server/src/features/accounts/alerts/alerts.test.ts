import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { clearAlert } from './clear-alert.ts'
import { listAlerts } from './list-alerts.ts'
import { raiseAlert } from './raise-alert.ts'
import { settleAlert } from './settle-alert.ts'

const store = await createTestStore()

describe('an alert', () => {
  it('is open once for an app, kind and subject, logged once, and refreshed', async () => {
    const lines: { msg: string }[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const ctx = { ...(await createTestApp(store)), log }
    const raised = await Promise.all(
      Array.from({ length: 5 }, () => raiseAlert(ctx, { kind: 'promo-low', subject: 'nowruz', text: '90 codes left' })),
    )
    expect(raised.filter(({ isNew }) => isNew)).toHaveLength(1)
    await raiseAlert(ctx, { kind: 'promo-low', subject: 'nowruz', text: '10 codes left', details: { left: 10 } })
    await raiseAlert(ctx, { kind: 'promo-low', subject: 'other', text: '5 codes left' })
    expect(lines.map(({ msg }) => msg)).toEqual(['90 codes left', '5 codes left'])
    expect(lines[0]).toMatchObject({ level: 40, app: ctx.app.label, alert: 'promo-low', subject: 'nowruz' })
    const open = await listAlerts(ctx)
    expect(open.find(({ subject }) => subject === 'nowruz')).toEqual({
      id: expect.any(String),
      kind: 'promo-low',
      subject: 'nowruz',
      text: '10 codes left',
      details: { left: 10 },
      raisedAt: expect.any(Number),
    })
    expect(open).toHaveLength(2)
  })

  it('is cleared by a person or when its cause is gone, and can then be raised again', async () => {
    const ctx = await createTestApp(store)
    await raiseAlert(ctx, { kind: 'sms-limit', text: 'limit' })
    const [{ id } = { id: '' }] = await listAlerts(ctx)
    const cleared = await clearAlert(ctx, { id })
    expect(await clearAlert(ctx, { id })).toEqual(cleared)
    expect(await listAlerts(ctx)).toEqual([])
    expect(await raiseAlert(ctx, { kind: 'sms-limit', text: 'limit again' })).toEqual({ isNew: true })
    await settleAlert(ctx, { kinds: ['sms-limit'] })
    await settleAlert(ctx, { kinds: ['sms-limit'] })
    expect(await listAlerts(ctx)).toEqual([])
    const all = await listAlerts(ctx, { cleared: true })
    expect(all.map(({ text }) => text)).toEqual(['limit again', 'limit'])
    expect(all[1]?.clearedAt).toBe(cleared.clearedAt)
  })

  it('belongs to one app', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    await raiseAlert(mine, { kind: 'sms-limit', text: 'mine' })
    const [{ id } = { id: '' }] = await listAlerts(mine)
    expect(await listAlerts(theirs)).toEqual([])
    await expect(clearAlert(theirs, { id })).rejects.toMatchObject({ code: 'not-found' })
    await expect(clearAlert(mine, { id: 'x' })).rejects.toMatchObject({ code: 'not-found' })
    await settleAlert(theirs, { kinds: ['sms-limit'] })
    expect(await listAlerts(mine)).toHaveLength(1)
  })
})
