import { expect, it } from 'vitest'
import { findDisorder, lockedTables, lockOrder } from './helpers/database/lock-order.ts'

const counters = 'insert into event_counters as c (app_id) select 1 on conflict (app_id) do update set count = 1'
const days = (from: string) =>
  `insert into event_days as d (app_id) select 1 from ${from} on conflict (app_id) do update set count = 1`

it('knows the order of locks from ARCHITECTURE.md', () => {
  expect(lockOrder.indexOf('event_counters')).toBeLessThan(lockOrder.indexOf('event_days'))
  expect(lockOrder.indexOf('deliveries')).toBeLessThan(lockOrder.indexOf('receipts'))
})

it('finds parts of a statement that run in no defined order', () => {
  expect(
    findDisorder(`with owned as (select 1), counters as (${counters}), days as (${days('owned')}) select 1`),
  ).toEqual(['event_counters is not locked before event_days'])
  expect(findDisorder(`with owned as (select 1), counters as (${counters}) ${days('owned')}`)).toEqual([
    'event_counters is not locked before event_days',
  ])
})

it('takes a part that another reads for the earlier one, and the main part for earlier than what it does not read', () => {
  const after = days('owned where (select count(*) from counters) >= 0')
  expect(findDisorder(`with owned as (select 1), counters as (${counters}), days as (${after}) select 1`)).toEqual([])
  expect(findDisorder(`with owned as (select 1), days as (${days('owned')}) ${counters}`)).toEqual([])
  expect(
    findDisorder(`with counters as (${counters}), mid as (select from counters), days as (${days('mid')}) select 1`),
  ).toEqual([])
})

it('tells which tables a statement locks', () => {
  expect(lockedTables('insert into receipts select 1')).toEqual([])
  expect(lockedTables("select 'for update' from deliveries")).toEqual([])
  expect(lockedTables('select 1 from installations i join users u using (app_id) for no key update of u')).toEqual([
    'users',
  ])
  expect(lockedTables('select 1 from deliveries order by 1 for update')).toEqual(['deliveries'])
  expect(lockedTables('select 1 from deliveries for update skip locked')).toEqual([])
  expect(lockedTables('update installations i set user_no = 1')).toEqual([])
  expect(lockedTables('update delivery_days d set sent = 1 from (select from receipts) r')).toEqual(['delivery_days'])
  expect(lockedTables('with gone as (delete from deliveries where true returning 1) select 1')).toEqual(['deliveries'])
})
