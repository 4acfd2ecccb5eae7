import sql, { empty, type Sql } from 'sql-template-tag'

/** Of a message `m` to users: `named` with one of those whom it names, and how many these are. */
export const namedUsers = sql`
  left join lateral (
    select min(mu.user_id) as user_id, count(*)::int as user_count
    from message_users mu where mu.app_id = m.app_id and mu.message_id = m.id and m.audience = 'users'
  ) named on true`

interface Named {
  appId: number
  userId: string
  /** Messages with smaller ids only. */
  before: string | undefined
}

/** Messages `m` that name the user, newest first. `offset 0`: from the user's list to them, never the other way round. */
export function messagesNaming({ appId, userId, before }: Named, columns: Sql, conditions: Sql): Sql {
  return sql`
    select ${columns} from message_users mu cross join lateral (
      select * from messages where app_id = mu.app_id and id = mu.message_id offset 0
    ) m
    where mu.app_id = ${appId} and mu.user_id = ${userId}
      ${before === undefined ? empty : sql`and mu.message_id < ${before}::uuid`} ${conditions}
    order by mu.message_id desc`
}
