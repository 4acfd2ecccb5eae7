import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { timeOrderedId } from '../../ids.ts'
import { createPartitions } from '../partitions.ts'
import { findProven, provenTime } from './proven-time.ts'

const DAY = 86_400_000
const now = new Date('2026-11-16T12:00:00Z')
const before = (days: number) => new Date(Date.UTC(2026, 10, 16) - days * DAY)
const nothing = async () => undefined

it.each([
  ['a service that ran every day', [1, 2, 3], undefined, 0],
  ['one that starts for the first time', [], undefined, 0],
  ['one that was off for some days', [6, 7, 8], undefined, 0],
  ['a clock that jumped by 500 days just now', [500, 501, 502], undefined, 499],
  ['one that jumped three days ago', [1, 2, 3, 500, 501], undefined, 499],
  ['one that jumped a week ago, which is believed by now', [1, 2, 3, 4, 5, 6, 7, 500], undefined, 0],
  ['the first start of this version, with data of today', [], 0, 0],
  ['the first start of this version, with a clock that has jumped', [], 500, 500],
])('of %s', async (_what, days, newest, expected) => {
  const stored = newest === undefined ? nothing : async () => (newest === 0 ? now : before(newest))
  const proven = await findProven(now, days.map(before), stored)
  expect(proven).toEqual(expected === 0 ? now : before(expected))
})

it('the days and the newest rows are those of the database', async () => {
  const store = await createTestStore()
  const then = new Date('2026-01-15T00:00:00Z')
  await createPartitions(store, then, { first: 0, last: 2 })
  await store.query(sql`
    insert into events (app_id, id, user_no, event_at, name) values (1, ${timeOrderedId(then)}, 1, ${then}, 'Open')`)
  const late = new Date('2027-06-01T00:00:00Z')
  expect(await provenTime(store, late)).toEqual(new Date('2026-02-01T00:00:00Z'))
  for (let days = 1; days < 7; days++) await provenTime(store, new Date(Number(late) + days * DAY))
  const believed = new Date(Number(late) + 7 * DAY)
  expect(await provenTime(store, believed)).toEqual(believed)
  expect((await store.query(sql`select from clock_days`)).length).toBe(8)
})
