import { randomUUID } from 'node:crypto'
import { openSession } from '@peyk/server/features/accounts/sessions/open-session.ts'
import sql from 'sql-template-tag'
import type { PeykDatabase } from '../subjects/peyk.ts'

/** A member who may do everything, and the cookie of a session. */
export async function signIn({ store, appId }: PeykDatabase): Promise<string> {
  const memberId = randomUUID()
  await store.query(
    sql`insert into members (member_id, email, password_hash) values (${memberId}, ${`${memberId}@bench.example`}, '')`,
  )
  await store.query(sql`insert into member_apps (app_id, member_id, role) values (${appId}, ${memberId}, 'admin')`)
  const { key } = await openSession({ store, now: () => new Date() }, { memberId, browser: 'bench', byLink: false })
  return `peyk=${key}`
}
