import sql from 'sql-template-tag'
import { db } from '#base/context.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { hashKey } from './session-key.ts'

export async function signOut(ctx: AccountsContext, input: { key: string }): Promise<void> {
  await db(ctx).query(sql`delete from member_sessions where hash = ${hashKey(input.key)}`)
}
