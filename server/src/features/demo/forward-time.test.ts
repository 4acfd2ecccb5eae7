import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { forwardTime } from './forward-time.ts'

const store = await createTestStore()
const day = 86_400

async function daysAhead(of: string): Promise<number> {
  const [row] = await store.query<{ days: number }>({
    text: `select extract(epoch from ${of} - now())::float8 / ${day} as days`,
    values: [],
  } as never)
  return Math.round((row?.days ?? 0) * 10) / 10
}

const explain = async (text: string) =>
  JSON.stringify(await store.query({ text: `explain (verbose, costs off) ${text}`, values: [] } as never))

it('time goes forward and never back, in all that is asked and all that is stored', async () => {
  expect(await daysAhead('peyk_now()')).toBe(0)
  await forwardTime(store, 7 * day)
  await forwardTime(store, day / 2)
  expect(await daysAhead('peyk_now()')).toBe(7.5)
  await store.query(sql`insert into apps (label, name) values ('later', 'Later')`)
  expect(await daysAhead("(select created_at from apps where label = 'later')")).toBe(7.5)
  for (const seconds of [0, -1, 0.5, Number.NaN]) await expect(forwardTime(store, seconds)).rejects.toThrow('forward')
  expect(await daysAhead('peyk_now()')).toBe(7.5)
})

it('PostgreSQL puts the time itself in its place, so that plans stay what they were', async () => {
  const plan = await explain('select from messages where expires_at <= peyk_now()')
  expect(plan).toContain('now()')
  expect(plan).not.toContain('peyk_now')
})

it('no column has another time than this, but those that keep the real one', async () => {
  const others = await store.query<{ place: string }>(sql`
    select distinct c.relname as place from pg_attrdef d join pg_class c on c.oid = d.adrelid
    where c.relnamespace = 'public'::regnamespace
      and pg_get_expr(d.adbin, d.adrelid) ~* '(^|[^_])now\\(\\)|current_|timestamp\\(\\)' order by 1`)
  expect(others.map(({ place }) => place)).toEqual(['idempotency_claims', 'migrations'])
})
