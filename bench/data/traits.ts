import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { fill } from './fill.ts'
import { chance, pick } from './random.ts'

const interests = ['art', 'books', 'cars', 'cooking', 'films', 'games', 'health', 'music', 'sports', 'travel']

/**
 * What segments ask for beyond the installation itself: tags, attributes and counters of events, as the service keeps them.
 * Dense: five tags and three counters for each installation.
 */
export async function fillTraits(connection: PostgresConnection, appId: number, isDense = false): Promise<void> {
  const users = `(select user_no as n from users where app_id = ${appId})`
  // Millions are not sorted: they come in the order of their users and installations anyway.
  const inOrder = (columns: string) => (isDense ? '' : `order by ${columns}`)
  const installations = `(select installation_no as n, installed_at, launched_at from installations where app_id = ${appId})`
  await fill(connection, [
    `insert into user_tags (app_id, user_no, tag, value)
     select ${appId}, n, tag, value from ${users} u cross join lateral (values
       ('vip', null, ${chance('n', 20)} < 0.03),
       ('beta', null, ${chance('n', 21)} < 0.01),
       ('newsletter', null, ${chance('n', 22)} < 0.3),
       ('churn_risk', null, ${chance('n', 23)} < 0.08),
       ('city', (array['tehran','tehran','tehran','mashhad','isfahan','karaj','shiraz','tabriz'])[1 + ${pick('n', 24, 8)}], ${chance('n', 25)} < 0.6),
       ('tier', (array['gold','silver','bronze'])[1 + ${pick('n', 26, 3)}], ${chance('n', 27)} < 0.2)
       ${isDense ? interests.map((tag, index) => `, ('${tag}', null, ${chance('n', 50 + index)} < 0.5)`).join('') : ''}
     ) as t(tag, value, is_given) where is_given ${inOrder('n, tag')}`,
    `vacuum analyze user_tags`,
    `insert into attribute_names (app_id, name, kind, on_installation) values
       (${appId}, 'age', 'number', false), (${appId}, 'plan', 'text', false), (${appId}, 'theme', 'text', true)`,
    `insert into user_attributes (app_id, user_no, name, kind, number, text, value)
     select ${appId}, n, name, case when number is null then 'text' else 'number' end, number, text, coalesce(to_jsonb(number), to_jsonb(text))
     from ${users} u cross join lateral (values
       ('age', 16 + ${pick('n', 30, 60)}::double precision, null, ${chance('n', 31)} < 0.5),
       ('plan', null, (array['free','free','free','pro','family'])[1 + ${pick('n', 32, 5)}], ${chance('n', 33)} < 0.4),
       ('theme', null, 'light', ${chance('n', 34)} < 0.1)
     ) as a(name, number, text, is_given) where is_given ${inOrder('n, name')}`,
    `insert into installation_attributes (app_id, installation_no, name, kind, text, value)
     select ${appId}, n, 'theme', 'text', 'dark', '"dark"' from ${installations} i where ${chance('n', 35)} < 0.02 order by n`,
    `vacuum analyze user_attributes`,
    `vacuum analyze installation_attributes`,
    `insert into event_counters (app_id, installation_no, event_key, count, first_at, last_at, value_last_at, value_count, value_sum, value_min, value_max, value_last)
     select ${appId}, n, event_key, times, installed_at, launched_at, case when amount > 0 then launched_at end,
       case when amount > 0 then times else 0 end, nullif(amount * times, 0), nullif(amount, 0), nullif(amount, 0), nullif(amount, 0)
     from ${installations} i cross join lateral (values
       ('app_open', 1 + ${pick('n', 40, 40)}, 0, ${chance('n', 41)} < 0.9),
       ('add_to_cart', 1 + ${pick('n', 42, 8)}, 0, ${chance('n', 43)} < 0.35),
       ('purchase', 1 + ${pick('n', 44, 6)}, 5 + ${pick('n', 45, 200)}, ${chance('n', 46)} < 0.12)
       ${isDense ? `, ('view_item', 1 + ${pick('n', 60, 90)}, 0, ${chance('n', 61)} < 0.9), ('search', 1 + ${pick('n', 62, 9)}, 0, ${chance('n', 63)} < 0.73)` : ''}
     ) as c(event_key, times, amount, is_given) where is_given ${inOrder('event_key, n')}`,
    `vacuum analyze event_counters`,
  ])
}
