import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { listMonths } from '#base/store/months.ts'
import { listAlerts } from './list-alerts.ts'
import { prepareMonths } from './prepare-months.ts'

const store = await createTestStore()

it('months are there well ahead; one that cannot be made is a warning and an alert until it is there', async () => {
  const lines: { level: number; table?: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const ctx = await createTestApp(store)
  const job = { store, now: ctx.now, log }
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: hasRead, resolve: recordRead } = Promise.withResolvers<void>()
  const reading = store.transaction(async (tx) => {
    await tx.query(sql`select count(*) from receipts`)
    recordRead()
    await held
  })
  await hasRead
  await prepareMonths(job)
  expect(lines).toContainEqual(expect.objectContaining({ level: 40, table: 'receipts' }))
  expect(await listAlerts(ctx)).toMatchObject([{ kind: 'month-missing' }])
  letGo()
  await reading
  await prepareMonths(job)
  expect(await listAlerts(ctx)).toEqual([])
  const last = (await listMonths(store, 'receipts')).at(-1)
  expect(Number(last?.startsAt)).toBeGreaterThan(Number(ctx.now()) + 58 * 86_400_000)
})
