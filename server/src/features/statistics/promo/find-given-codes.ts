import type { FoundCodes, GivenCode, panelCodes, QueryOf } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

const codesOfUser = 100

interface GivenRow {
  code: string
  user_no: number
  user_id: string | null
  message_id: string
  track_id: string | null
  title: string | null
  given_at: Date
}

/** Who was given a code, or which codes somebody was given. */
export async function findGivenCodes(ctx: Context, input: QueryOf<typeof panelCodes>): Promise<FoundCodes> {
  const code = input.code?.trim()
  const user = input.user?.trim()
  if (!code === !user) throw new RequestError('invalid-request', 'Expected "code" or "user", one of the two.')
  if (user) return { data: await readGiven(ctx, ofUser(ctx, user)) }
  const data = await readGiven(ctx, sql`g.code = ${code}`)
  return data.length > 0 ? { data } : { data, unusedIn: await listSetsWith(ctx, code as string) }
}

function ofUser(ctx: Context, user: string): Sql {
  return sql`g.user_no = (select user_no from users where app_id = ${ctx.app.id} and user_id = ${user})`
}

/** A code whose user was forgotten has the user number 0, and no message that exists: promo/forget-user.ts. */
async function readGiven(ctx: Context, which: Sql): Promise<GivenCode[]> {
  const rows = await db(ctx).query<GivenRow>(sql`
    select g.code, g.user_no, u.user_id, g.message_id, s.track_id, g.given_at,
      (select left(coalesce(m.body #>> '{notification,title}', m.body ->> 'content'), 200)
       from messages m where m.app_id = g.app_id and m.id = g.message_id) as title
    from promo_given g
    left join users u on u.app_id = g.app_id and u.user_no = g.user_no
    left join promo_sets s on s.app_id = g.app_id and s.set_no = g.set_no
    where g.app_id = ${ctx.app.id} and ${which}
    order by g.given_at desc limit ${codesOfUser}`)
  return rows.map((row) => ({
    code: row.code,
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.user_no !== 0 && { messageId: row.message_id }),
    ...(row.title && { title: row.title }),
    ...(row.track_id && { trackId: row.track_id }),
    givenAt: row.given_at.getTime(),
  }))
}

async function listSetsWith(ctx: Context, code: string): Promise<string[]> {
  const rows = await db(ctx).query<{ track_id: string }>(sql`
    select s.track_id from promo_sets s
    where s.app_id = ${ctx.app.id} and s.state = 'active' and exists (
      select from promo_codes c where c.app_id = s.app_id and c.set_no = s.set_no and c.code = ${code} offset 0)
    order by s.track_id limit 20`)
  return rows.map((row) => row.track_id)
}
