import sql, { type Sql } from 'sql-template-tag'

/** One shape of segment: the rules, the best SQL a person can write for them, and what Parse Server is asked. */
export interface Shape {
  name: string
  segment: object
  /**
   * Which installations, as `from … where …` over installations i. Where an index looks good to the planner and reading
   * the whole table is faster, it is kept from the index by `+ 0` or `is true`.
   */
  byHand(appId: number, at: Date): Sql
  /** Parse Server has no versions and no events; where it cannot ask the question, it is left out. */
  parse?(at: Date): object
}

const rule = (name: string, operator: string, value: unknown) => ({ name, operator, value })
const hoursBefore = (at: Date, hours: number) => new Date(at.getTime() - hours * 3_600_000)
const parseDate = (date: Date) => ({ __type: 'Date', iso: date.toISOString() })

const present = (appId: number) => sql`i.app_id = ${appId} and i.uninstalled_at is null`

export const shapes: readonly Shape[] = [
  {
    name: 'one broad field',
    segment: { all: [rule('deviceType', 'equal_to', 'android')] },
    byHand: (appId) => sql`from installations i where ${present(appId)} and i.device_type = 'android'`,
    parse: () => ({ deviceType: 'android' }),
  },
  {
    name: 'new in 6 hours',
    segment: { all: [rule('installDate', 'after', '6h')] },
    byHand: (appId, at) => sql`from installations i where ${present(appId)} and i.installed_at > ${hoursBefore(at, 6)}`,
    parse: (at) => ({ installDate: { $gt: parseDate(hoursBefore(at, 6)) } }),
  },
  {
    name: 'seen in 24 hours',
    segment: { all: [rule('launchTime', 'after', '24h')] },
    byHand: (appId, at) => sql`from installations i where ${present(appId)} and i.launched_at > ${hoursBefore(at, 24)}`,
    parse: (at) => ({ launchTime: { $gt: parseDate(hoursBefore(at, 24)) } }),
  },
  {
    name: 'three broad fields',
    segment: {
      all: [
        rule('deviceType', 'equal_to', 'android'),
        rule('launchCount', 'greater_equals', 5),
        rule('clientVersion', 'greater_equals', '2.1'),
      ],
    },
    byHand: (appId) => sql`from installations i where ${present(appId)}
      and i.device_type = 'android' and i.launch_count >= 5 and (i.client_version_key >= 'b2b1#') is true`,
  },
  {
    name: 'has a rare tag',
    segment: { all: [rule('tags', 'include', ['vip'])] },
    byHand: (appId) => sql`from installations i
      where ${present(appId)} and i.user_no in (select user_no from user_tags where app_id = ${appId} and tag = 'vip')`,
    parse: () => ({ tags: { $in: ['vip'] } }),
  },
  {
    name: 'has none of two tags',
    segment: { all: [rule('tags', 'not_include', ['vip', 'churn_risk'])] },
    byHand: (appId) => sql`from installations i
      where ${present(appId)} and not exists (
        select from user_tags t where t.app_id = ${appId} and t.user_no = i.user_no and t.tag in ('vip', 'churn_risk'))`,
    parse: () => ({ tags: { $nin: ['vip', 'churn_risk'] } }),
  },
  {
    name: 'value of a tag, and a field',
    segment: { all: [rule('tags.city', 'equal_to', 'tehran'), rule('deviceType', 'include', ['ios', 'web'])] },
    byHand: (appId) => sql`from user_tags t join installations i on i.user_no + 0 = t.user_no
      where t.app_id = ${appId} and t.tag = 'city' and t.value = 'tehran'
        and ${present(appId)} and i.device_type in ('ios', 'web')`,
    parse: () => ({ city: 'tehran', deviceType: { $in: ['ios', 'web'] } }),
  },
  {
    name: 'range of an attribute, and a field',
    segment: { all: [rule('attributes.age', 'greater_than', 60), rule('language', 'equal_to', 'fa')] },
    byHand: (appId) => sql`from user_attributes a join installations i on i.user_no + 0 = a.user_no
      where a.app_id = ${appId} and a.name = 'age' and a.number > 60 and a.kind = 'number'
        and ${present(appId)} and i.language = 'fa'`,
    parse: () => ({ age: { $gt: 60 }, language: 'fa' }),
  },
  {
    name: 'attribute that installations have too',
    segment: { all: [rule('attributes.theme', 'equal_to', 'light')] },
    byHand: (appId) => sql`from user_attributes a join installations i on i.user_no + 0 = a.user_no
      where a.app_id = ${appId} and a.name = 'theme' and left(a.text, 100) = 'light' and ${present(appId)}
        and i.installation_no not in (
          select installation_no from installation_attributes where app_id = ${appId} and name = 'theme')`,
    parse: () => ({ theme: 'light' }),
  },
  {
    name: 'count of an event',
    segment: { all: [rule('purchase.count', 'greater_than', 2)] },
    byHand: (appId) => sql`from event_counters c
      join installations i on i.app_id = c.app_id and i.installation_no = c.installation_no
      where c.app_id = ${appId} and c.event_key = 'purchase' and c.count > 2 and ${present(appId)}`,
    parse: () => ({ purchaseCount: { $gt: 2 } }),
  },
  {
    name: 'one event lately, another never',
    segment: { all: [rule('add_to_cart.last', 'after', '72h'), rule('purchase.count', 'equal_to', 0)] },
    byHand: (appId, at) => sql`from event_counters c
      join installations i on i.app_id = c.app_id and i.installation_no = c.installation_no
      where c.app_id = ${appId} and c.event_key = 'add_to_cart' and c.last_at > ${hoursBefore(at, 72)} and ${present(appId)}
        and not exists (select from event_counters p
          where p.app_id = ${appId} and p.event_key = 'purchase' and p.installation_no = i.installation_no)`,
    parse: (at) => ({ addToCartLast: { $gt: parseDate(hoursBefore(at, 72)) }, purchaseCount: 0 }),
  },
  {
    name: 'nested any, versions and a tag',
    segment: {
      all: [
        rule('deviceType', 'equal_to', 'ios'),
        { any: [rule('osVersion', 'lesser_than', '17'), rule('clientVersion', 'lesser_than', '2.0')] },
        rule('tags', 'not_include', ['beta']),
      ],
    },
    byHand: (appId) => sql`from installations i
      where ${present(appId)} and i.device_type = 'ios' and (i.os_version_key < 'c17#' or i.client_version_key < 'b2#')
        and not exists (select from user_tags t where t.app_id = ${appId} and t.user_no = i.user_no and t.tag = 'beta')`,
  },
]
