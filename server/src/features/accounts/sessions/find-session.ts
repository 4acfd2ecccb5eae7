import sql from 'sql-template-tag'
import { realTime } from '#base/clock.ts'
import { type AppIdentity, db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import type { Role } from '../members/member-rules.ts'
import { hashKey } from './session-key.ts'
import { expiryOf, touchEveryMs } from './session-rules.ts'

export interface MemberSession {
  hash: Buffer
  memberId: string
  email: string
  createdAt: Date
  byLink: boolean
  /** The apps that it opens; undefined: all of the member's. */
  appIds: number[] | undefined
  /** Of the app that was asked for, when the member belongs to it. */
  inApp: { app: AppIdentity; role: Role } | undefined
}

interface Row {
  hash: Buffer
  member_id: string
  email: string
  created_at: Date
  last_seen_at: Date
  by_link: boolean
  app_ids: number[] | null
  app_id: number | null
  label: string | null
  role: Role | null
}

/** Undefined when the session ended or never was. Using it keeps it going. */
export async function findSession(
  ctx: AccountsContext,
  input: { key: string; appLabel?: string | undefined },
): Promise<MemberSession | undefined> {
  const now = realTime(ctx.now)
  const [row] = await db(ctx).query<Row>(
    sql`select s.hash, s.member_id, m.email, s.created_at, s.last_seen_at, s.by_link, s.app_ids, ma.app_id, a.label, ma.role
        from member_sessions s
        join members m on m.member_id = s.member_id
        left join apps a on a.label = ${input.appLabel ?? null}
        left join member_apps ma on ma.app_id = a.app_id and ma.member_id = s.member_id
          and (s.app_ids is null or ma.app_id = any(s.app_ids))
        where s.hash = ${hashKey(input.key)} and s.expires_at > ${now}`,
    'find-session',
  )
  if (!row) return undefined
  if (Number(now) - Number(row.last_seen_at) > touchEveryMs) {
    await db(ctx).query(sql`
      update member_sessions set last_seen_at = ${now}, expires_at = ${expiryOf(row.created_at, now)}
      where hash = ${row.hash}`)
  }
  return {
    hash: row.hash,
    memberId: row.member_id,
    email: row.email,
    createdAt: row.created_at,
    byLink: row.by_link,
    appIds: row.app_ids ?? undefined,
    inApp: readApp(row),
  }
}

function readApp({ app_id, label, role }: Row): MemberSession['inApp'] {
  return app_id === null || label === null || role === null ? undefined : { app: { id: app_id, label }, role }
}
