import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import { changeRetention } from './change-retention.ts'
import { getRetention } from './get-retention.ts'

const store = await createTestStore()
const usual = { eventsDays: 400, deliveriesDays: 90 }

describe('how long an app keeps its data', () => {
  it('is as usual until it is changed, part by part, beside the other settings', async () => {
    const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
    await store.query(sql`update apps set settings = '{"icon":"x"}' where app_id = ${ctx.app.id}`)
    expect(await getRetention(ctx)).toEqual({ ...usual, usual })
    expect(await changeRetention(ctx, { eventsDays: 30 })).toEqual({ ...usual, eventsDays: 30, usual })
    expect(await changeRetention(ctx, { deliveriesDays: 7 })).toEqual({ eventsDays: 30, deliveriesDays: 7, usual })
    const [row] = await store.query<{ settings: object }>(sql`select settings from apps where app_id = ${ctx.app.id}`)
    expect(row?.settings).toEqual({ icon: 'x', retention: { eventsDays: 30, deliveriesDays: 7 } })
    expect(await getRetention(other)).toEqual({ ...usual, usual })
  })

  it('is as usual where nonsense is stored, and takes no more of it', async () => {
    const ctx = await createTestApp(store)
    await store.query(sql`update apps set settings = '{"retention":"soon"}' where app_id = ${ctx.app.id}`)
    expect(await getRetention(ctx)).toEqual({ ...usual, usual })
    for (const eventsDays of [0, -1, 1.5, 3651, Number.NaN])
      await expect(changeRetention(ctx, { eventsDays })).rejects.toMatchObject({ code: 'invalid-request' })
    expect(await changeRetention(ctx, { eventsDays: 3650 })).toMatchObject({ eventsDays: 3650 })
  })
})
