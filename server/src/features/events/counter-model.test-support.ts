import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Context } from '#base/context.ts'
import { type CounterRow, readCounters, readUserCounters } from './events.test-support.ts'

interface EventRow {
  user_no: number
  installation_no: number | null
  event_at: Date
  name: string
  data: { value?: unknown } | null
  revenue: number | null
}

interface Counter extends Omit<CounterRow, 'lastValue'> {
  /** Where several events are the newest, any of them may have been the last. */
  lastValues: number[]
}

/**
 * The counters as segments.md#rules defines them, from nothing but the stored events. Values are taken as whole
 * hundredths.
 */
async function modelCounters(ctx: Context): Promise<{ installations: Counter[]; users: Counter[] }> {
  const events = await ctx.store.query<EventRow>(sql`
    select user_no, installation_no, event_at, name, data, revenue from events where app_id = ${ctx.app.id}`)
  const kinds = await ctx.store.query<{ event_key: string; kind: string }>(sql`
    select event_key, kind from event_value_names where app_id = ${ctx.app.id} and name = 'value'`)
  const numeric = new Set(kinds.filter(({ kind }) => kind === 'number').map(({ event_key }) => event_key))
  const installations = new Map<string, EventRow[]>()
  const users = new Map<string, EventRow[]>()
  for (const event of events) {
    const own = event.name.toLowerCase()
    const keys = event.revenue === null ? [own].filter((key) => key !== 'purchase') : [...new Set([own, 'purchase'])]
    const [groups, owner] =
      event.installation_no === null ? [users, event.user_no] : [installations, event.installation_no]
    for (const key of keys) groups.set(`${owner} ${key}`, [...(groups.get(`${owner} ${key}`) ?? []), event])
  }
  return { installations: toCounters(installations), users: toCounters(users) }

  function toCounters(groups: Map<string, EventRow[]>): Counter[] {
    return [...groups].map(([group, rows]) => {
      const [owner, key] = [Number(group.split(' ', 1)[0]), group.slice(group.indexOf(' ') + 1)]
      const times = rows.map((row) => Number(row.event_at))
      const valued = rows.flatMap((row) => {
        const value = row.revenue ?? (numeric.has(row.name.toLowerCase()) ? row.data?.value : undefined)
        return typeof value === 'number' ? [{ at: Number(row.event_at), value }] : []
      })
      const values = valued.map(({ value }) => value)
      const newest = Math.max(...valued.map(({ at }) => at))
      return {
        owner,
        key,
        count: rows.length,
        first: Math.min(...times),
        last: Math.max(...times),
        valueCount: values.length,
        sum: values.length > 0 ? values.reduce((sum, value) => sum + Math.round(value * 100), 0) / 100 : null,
        min: values.length > 0 ? Math.min(...values) : null,
        max: values.length > 0 ? Math.max(...values) : null,
        lastValues: valued.filter(({ at }) => at === newest).map(({ value }) => value),
      }
    })
  }
}

export async function expectCountersAsModelled(ctx: Context): Promise<void> {
  const model = await modelCounters(ctx)
  compare(await readCounters(ctx), model.installations)
  compare(
    (await readUserCounters(ctx)).filter(({ key }) => key !== ''),
    model.users,
  )
}

function compare(stored: CounterRow[], modelled: Counter[]): void {
  const byKey = <Row extends { owner: number; key: string }>(rows: Row[]) =>
    rows.toSorted((left, right) => left.owner - right.owner || (left.key < right.key ? -1 : 1))
  expect(byKey(stored.map(({ lastValue: _, ...rest }) => rest))).toEqual(
    byKey(modelled.map(({ lastValues: _, ...rest }) => rest)),
  )
  const lastValues = new Map(modelled.map((row) => [`${row.owner} ${row.key}`, row.lastValues]))
  for (const { owner, key, lastValue } of stored) {
    const possible = lastValues.get(`${owner} ${key}`) ?? []
    expect(lastValue === null ? possible.length === 0 : possible.includes(lastValue)).toBe(true)
  }
}
