import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'

/**
 * [client-protocol.md#login-and-identity-verification] An app that has an identity secret verifies identities; without
 * one it does not.
 */
export async function hasIdentitySecret(tx: Transaction, ctx: Pick<Context, 'app'>): Promise<boolean> {
  const [row] = await tx.query<{ is_there: boolean }>(
    sql`select settings ? 'identitySecret' as is_there from apps where app_id = ${ctx.app.id} for update`,
  )
  return row?.is_there ?? false
}

/** The only one who ever sees it is the caller: stored is what the service alone can open. */
export async function writeIdentitySecret(tx: Transaction, ctx: Pick<Context, 'app' | 'external'>): Promise<string> {
  const secret = `idsec_${randomBytes(32).toString('hex')}`
  const sealed = ctx.external.secretBox.seal(secret).toString('base64')
  await tx.query(sql`
    update apps set settings = settings || jsonb_build_object('identitySecret', ${sealed}::text)
    where app_id = ${ctx.app.id}`)
  return secret
}

export async function removeIdentitySecret(tx: Transaction, ctx: Pick<Context, 'app'>): Promise<void> {
  await tx.query(sql`update apps set settings = settings - 'identitySecret' where app_id = ${ctx.app.id}`)
}
