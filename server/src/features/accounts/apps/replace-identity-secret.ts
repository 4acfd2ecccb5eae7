import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { announceIdentityChange } from './identity-change.ts'
import { hasIdentitySecret, writeIdentitySecret } from './identity-secret.ts'

/** Hashes made with the old one are refused from then on; who is logged in stays so. */
export async function replaceIdentitySecret(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'external'>,
): Promise<{ identitySecret: string }> {
  const identitySecret = await inTransaction(ctx, async (tx) => {
    if (await hasIdentitySecret(tx, ctx)) return writeIdentitySecret(tx, ctx)
    throw new RequestError(
      'invalid-request',
      'The app does not verify identities, so it has no secret: PUT /api/app with "identityVerification": true makes one.',
    )
  })
  announceIdentityChange(ctx.store, ctx.app.id)
  return { identitySecret }
}
