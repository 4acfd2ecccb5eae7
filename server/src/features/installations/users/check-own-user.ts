import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'

export interface UserClaim {
  userId: string
  installationId?: string | undefined
}

/** When the app verifies identities, a client acts for a user only through an installation of that user. */
export async function checkOwnUser(ctx: Context, claim: UserClaim): Promise<void> {
  if (ctx.client?.identitySecret === undefined) return
  const [row] = isUuid(claim.installationId)
    ? await db(ctx).query<{ user_id: string }>(
        sql`select u.user_id from installations i join users u using (app_id, user_no)
            where i.app_id = ${ctx.app.id} and i.id = ${claim.installationId}`,
        'find-user-of-installation',
      )
    : []
  if (row?.user_id === claim.userId) return
  throw new RequestError(
    'identity-unverified',
    'This app verifies identities: "installationId" must name an installation of the user.',
    {
      details: { field: 'installationId' },
    },
  )
}
