import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { createParseClass } from '../subjects/parse.ts'
import { fill } from './fill.ts'

const fields = {
  deviceType: 'String',
  language: 'String',
  installDate: 'Date',
  launchTime: 'Date',
  launchCount: 'Number',
  tags: 'Array',
  city: 'String',
  age: 'Number',
  theme: 'String',
  purchaseCount: 'Number',
  addToCartLast: 'Date',
}

const indexed = ['deviceType', 'installDate', 'launchTime', 'city', 'age', 'theme', 'purchaseCount', 'addToCartLast']

/** The installations that are there, as objects of Parse: one row each, with the user's tags and attributes beside it. */
export async function fillParseDevices(url: string, connection: PostgresConnection, appId: number): Promise<void> {
  await createParseClass(url, 'Device', fields)
  const columns = Object.keys(fields).map((name) => `"${name}"`)
  const attribute = (name: string, column: string) =>
    `(select ${column} from user_attributes a where a.app_id = ${appId} and a.user_no = i.user_no and a.name = '${name}')`
  const counter = (key: string, column: string) =>
    `(select ${column} from event_counters c where c.app_id = ${appId} and c.event_key = '${key}' and c.installation_no = i.installation_no)`
  await fill(connection, [
    `insert into "Device" ("objectId", "createdAt", "updatedAt", ${columns.join(', ')})
     select left(md5(i.id::text), 10) || i.installation_no, i.created_at, i.created_at, i.device_type, i.language, i.installed_at,
       i.launched_at, i.launch_count,
       coalesce((select jsonb_agg(tag) from user_tags t where t.app_id = ${appId} and t.user_no = i.user_no), '[]'),
       (select value from user_tags t where t.app_id = ${appId} and t.user_no = i.user_no and t.tag = 'city'),
       ${attribute('age', 'number')},
       coalesce((select text from installation_attributes a
         where a.app_id = ${appId} and a.installation_no = i.installation_no and a.name = 'theme'), ${attribute('theme', 'text')}),
       coalesce(${counter('purchase', 'count')}, 0), ${counter('add_to_cart', 'last_at')}
     from installations i where i.app_id = ${appId} and i.uninstalled_at is null`,
    ...indexed.map((name) => `create index on "Device" ("${name}")`),
    `vacuum analyze "Device"`,
  ])
}
