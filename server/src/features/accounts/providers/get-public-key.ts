import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

/** What a browser needs to subscribe: `applicationServerKey`. */
export async function getPublicKey(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<{ publicKey: string }> {
  const [row] = await db(ctx).query<{ public_key: string }>(
    sql`select shown->>'publicKey' as public_key from provider_credentials
        where app_id = ${ctx.app.id} and provider = 'webpush'`,
    'get-public-key',
  )
  if (row) return { publicKey: row.public_key }
  throw new RequestError(
    'not-found',
    `The app "${ctx.app.label}" has no key pair for web push: PUT /api/providers/webpush or "peyk provider set webpush" makes one.`,
  )
}
