import { createTestStore, silentLog, testExternal } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { findToken } from '../accounts/access-tokens/find-token.ts'
import { countSegment } from '../segments/count/count-segment.ts'
import { listSegments } from '../segments/saved/list-segments.ts'
import { verifyInvariants } from '../statistics/invariants/verify-invariants.ts'
import { readUsage } from '../statistics/usage/read-usage.ts'
import { makeDemoEvents } from './demo-events.ts'
import { makeDemoPeople } from './demo-people.ts'
import { openDemoApp } from './open-demo-app.ts'

const store = await createTestStore()
const now = () => new Date()
const ctx = { store, log: silentLog, now, external: testExternal }

describe('the people of the demo', () => {
  const at = new Date('2026-11-15T10:00:00Z')

  it('are the same each time', () => {
    expect(makeDemoPeople(at)).toEqual(makeDemoPeople(at))
    const [person] = makeDemoPeople(at)
    expect(makeDemoEvents(person as never, 0, at)).toEqual(makeDemoEvents(person as never, 0, at))
  })

  it('do nothing before they installed, nothing in the future and nothing older than 60 days', () => {
    for (const [index, person] of makeDemoPeople(at).entries()) {
      for (const { installDate, launchTime } of person.devices) {
        expect(launchTime).toBeGreaterThanOrEqual(installDate)
        expect(launchTime).toBeLessThanOrEqual(Number(at))
      }
      for (const event of makeDemoEvents(person, index, at)) {
        expect(event.eventTime).toBeLessThanOrEqual(Number(at))
        expect(event.eventTime).toBeGreaterThanOrEqual(Number(at) - 60 * 86_400_000)
        expect(event.eventTime).toBeGreaterThanOrEqual(Math.min(...person.devices.map((device) => device.installDate)))
      }
    }
  })
})

describe('the demo app', () => {
  it('is made once, whole, with tokens that work and something in every segment', async () => {
    const tokens = await openDemoApp(ctx, { known: undefined })
    expect((await findToken(store, tokens.accessToken))?.app.label).toBe('demo')
    expect((await findToken(store, tokens.clientKey))?.scopes).toEqual(['client'])
    const app = (await findToken(store, tokens.accessToken))?.app as { id: number; label: string }
    const segments = await listSegments({ ...ctx, app })
    expect(segments.length).toBe(2)
    for (const { segment } of segments)
      expect((await countSegment({ ...ctx, app }, { segment })).count).toBeGreaterThan(5)
    const verdicts = await verifyInvariants({ store }, { onVerdict: () => {} })
    expect(verdicts.filter((verdict) => verdict.broken > 0)).toEqual([])
    expect(verdicts.find((verdict) => verdict.name.startsWith('event counters agree'))?.rows).toBeGreaterThan(1000)

    for (const month of [0, 1].map((ago) => new Date(Date.UTC(now().getUTCFullYear(), now().getUTCMonth() - ago)))) {
      const { total, days } = await readUsage({ ...ctx, app }, { month: month.toISOString().slice(0, 7) })
      expect(total.sent).toBeLessThanOrEqual(total.deliveries)
      for (const day of days) expect(day.sent).toBeLessThanOrEqual(day.deliveries)
    }

    expect(await openDemoApp(ctx, { known: tokens })).toEqual(tokens)
    const renewed = await openDemoApp(ctx, { known: { ...tokens, clientKey: '0'.repeat(40) } })
    expect(await findToken(store, tokens.accessToken)).toBeUndefined()
    expect((await findToken(store, renewed.accessToken))?.app).toEqual(app)
    expect(await store.query(sql`select count(*) from users where not is_guest`)).toEqual([{ count: 300 }])
  })

  it('has tokens for each place that has a file of its own, and replaces only those of that place', async () => {
    const isGood = async ({ accessToken, clientKey }: { accessToken: string; clientKey: string }) =>
      (await findToken(store, accessToken)) !== undefined && (await findToken(store, clientKey)) !== undefined
    const here = await openDemoApp(ctx, { known: undefined, place: 'here' })
    const there = await openDemoApp(ctx, { known: undefined, place: 'there' })
    expect([await isGood(here), await isGood(there)]).toEqual([true, true])
    expect(await openDemoApp(ctx, { known: here, place: 'here' })).toEqual(here)
    const renewed = await openDemoApp(ctx, { known: undefined, place: 'here' })
    expect([await isGood(here), await isGood(there), await isGood(renewed)]).toEqual([false, true, true])
  })
})
