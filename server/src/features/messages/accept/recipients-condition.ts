import sql, { empty, type Sql } from 'sql-template-tag'
import { isUuid } from '#base/ids.ts'
import { isOpenNow } from '../../installations/connections/is-connected-now.ts'

/** A live message goes to installations that have the app open. */
export function onlyOpen({ live }: { live?: boolean }): Sql {
  return live ? sql` and ${isOpenNow(sql`i.app_id`, sql`i.installation_no`)}` : empty
}

/** The second condition is the index's own. */
export function onChannel(subscription: string | undefined): Sql {
  if (subscription === undefined) return empty
  const isSubscribed = sql`i.subscriptions @> ${[subscription]}::text[] and i.subscriptions <> '{}'`
  return isUuid(subscription) ? sql` and (i.id = ${subscription}::uuid or ${isSubscribed})` : sql` and ${isSubscribed}`
}
