import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { compileCondition } from '../segments/compile/compile-condition.ts'
import { listRules } from '../segments/condition.ts'
import type { Aggregate, Field, Source } from '../segments/fields.ts'
import { readAudience } from '../segments/read/read-audience.ts'
import type { Audience } from '../segments/read/resolve-audience.ts'
import type { RuleFacts } from './facts.ts'

const mostNames = 20

/** Each rule of a segment on each of the installations, as they are now; times are measured from when it was accepted. */
export async function judgeRules(
  ctx: Context,
  audience: Audience,
  acceptedAt: Date,
  installationNos: number[],
): Promise<Map<number, RuleFacts[]>> {
  const { steps, scope } = await readAudience(ctx, audience, acceptedAt, { wasAccepted: true })
  if (steps.length === 0 || installationNos.length === 0) return new Map()
  const judged = steps.map(({ condition }) => {
    const fields = new Map(listRules(condition).map(({ field }) => [field.name, field]))
    const values = [...fields.values()].slice(0, mostNames).map((field) => sql`${field.name}::text, ${ownValue(field)}`)
    return sql`jsonb_build_object('holds', (${compileCondition(condition, scope)}) is true, 'values', jsonb_build_object(${join(values)}))`
  })
  const rows = await db(ctx).query<{ installation_no: number; rules: Pick<RuleFacts, 'holds' | 'values'>[] }>(sql`
    select i.installation_no, to_jsonb(array[${join(judged)}]::jsonb[]) as rules
    from installations i where i.app_id = ${ctx.app.id} and i.installation_no = any(${installationNos}::bigint[])`)
  return new Map(
    rows.map(({ installation_no, rules }) => [
      installation_no,
      rules.map((rule, index) => ({ rule: steps[index]?.sent, ...rule })),
    ]),
  )
}

/** Versions are compared by a key; people know them by their text. */
const shownColumns: Record<string, string> = { client_version_key: 'client_version', os_version_key: 'os_version' }

const aggregateColumns: Record<Aggregate, string> = {
  count: 'c.count',
  first: 'c.first_at',
  last: 'c.last_at',
  sum: 'c.value_sum',
  avg: 'c.value_sum / nullif(c.value_count, 0)',
  min: 'c.value_min',
  max: 'c.value_max',
  lastValue: 'c.value_last',
}

/** As JSON over `installations i`. */
function ownValue({ source }: Field): Sql {
  switch (source.from) {
    case 'column':
      return raw(`to_jsonb(i.${shownColumns[source.column] ?? source.column})`)
    case 'channels':
      return raw(`to_jsonb(array['default'] || i.subscriptions)`)
    case 'user':
      return raw('(select to_jsonb(u.user_id) from users u where u.app_id = i.app_id and u.user_no = i.user_no)')
    case 'tags':
      return raw(
        `(select coalesce(jsonb_agg(t.tag order by t.tag), '[]') from user_tags t where t.app_id = i.app_id and t.user_no = i.user_no)`,
      )
    case 'value-tag':
      return sql`(select to_jsonb(t.value) from user_tags t
        where t.app_id = i.app_id and t.user_no = i.user_no and t.tag = ${source.key})`
    case 'attribute':
      return ownAttribute(source.name)
    case 'event':
      return eventValue(source)
  }
}

function ownAttribute(name: string): Sql {
  return sql`coalesce(
    (select a.value from installation_attributes a
     where a.app_id = i.app_id and a.installation_no = i.installation_no and a.name = ${name}),
    (select a.value from user_attributes a where a.app_id = i.app_id and a.user_no = i.user_no and a.name = ${name}))`
}

function eventValue({ key, aggregate }: Extract<Source, { from: 'event' }>): Sql {
  const value = sql`(select to_jsonb(${raw(aggregateColumns[aggregate])}) from event_counters c
    where c.app_id = i.app_id and c.event_key = ${key} and c.installation_no = i.installation_no)`
  // The count of what never happened is 0 [segments.md#rules].
  return aggregate === 'count' ? sql`coalesce(${value}, '0')` : value
}
