import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { findUserOfInstallation } from './find-user-of-installation.ts'

export interface UserClaim {
  userId: string
  installationId?: string | undefined
}

/** When the app verifies identities, a client acts for a user only through an installation of that user. */
export async function checkOwnUser(ctx: Context, claim: UserClaim): Promise<void> {
  if (ctx.client?.identitySecret === undefined) return
  if ((await findUserOfInstallation(ctx, claim.installationId)) === claim.userId) return
  throw new RequestError(
    'identity-unverified',
    'This app verifies identities: "installationId" must name an installation of the user.',
    {
      details: { field: 'installationId' },
    },
  )
}
