import { randomUUID } from 'node:crypto'
import { createTestStore } from '@peyk/test/database/test-store.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { unnestRows } from './unnest-rows.ts'

const store = await createTestStore()

const text = fc.string({ unit: 'binary' }).map((each) => each.toWellFormed().replaceAll('\0', ''))
const row = fc.record({
  no: fc.option(fc.maxSafeInteger()),
  ratio: fc.option(fc.double({ noNaN: true })),
  isOn: fc.option(fc.boolean()),
  id: fc.option(fc.constant(null).map(() => randomUUID())),
  name: fc.option(fc.oneof(text, fc.constantFrom('NULL', '', '{}', ',', '"', '\\', ' a '))),
  at: fc.option(fc.date({ min: new Date(0), max: new Date(4_000_000_000_000), noInvalidDate: true })),
  data: fc.option(fc.jsonValue().map((value) => JSON.stringify(value).replaceAll('\\u0000', ''))),
})

it('brings every value as it is, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
      const found = await store.query(sql`
        select * from ${unnestRows(
          rows,
          'k',
          {
            no: ['bigint', ({ no }) => no],
            ratio: ['float8', ({ ratio }) => ratio],
            is_on: ['boolean', ({ isOn }) => isOn],
            id: ['uuid', ({ id }) => id ?? undefined],
            name: ['text', ({ name }) => name],
            at: ['timestamptz', ({ at }) => at],
            data: ['jsonb', ({ data }) => data],
          },
          { position: 'position' },
        )} order by position`)
      expect(found).toEqual(
        rows.map(({ isOn, data, ratio, ...same }, index) => ({
          ...same,
          ratio: ratio === null ? null : ratio + 0,
          is_on: isOn,
          data: data === null ? null : JSON.parse(data),
          position: index + 1,
        })),
      )
    }),
    { numRuns: 60 },
  )
})

it('never takes one text for two', async () => {
  const asked = (ids: string[]) =>
    store.query(sql`select id from ${unnestRows(ids, 'k', { id: ['uuid', (id) => id] })}`)
  await expect(asked([`${randomUUID()},${randomUUID()}`])).rejects.toMatchObject({ code: '22P02' })
  await expect(asked(['}'])).rejects.toMatchObject({ code: '22P02' })
})

it('takes the word null for no value of any type', async () => {
  for (const word of ['NULL', 'null'])
    for (const type of ['uuid', 'bigint', 'boolean'] as const)
      await expect(
        store.query(sql`select v from ${unnestRows([word], 'k', { v: [type, (each) => each] })}`),
      ).rejects.toMatchObject({ code: '22P02' })
})
