import type { PanelNewToken, PanelToken } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import type { NewToken } from '#features/accounts/access-tokens/create-token.ts'
import type { ListedToken } from '#features/accounts/access-tokens/list-tokens.ts'

/** Over the wire moments are epoch milliseconds. */
export function showToken({ origins, lastUsedOn, expiresAt, createdAt, ...token }: ListedToken): PanelToken {
  return {
    ...token,
    createdAt: createdAt.getTime(),
    ...(origins && { origins }),
    ...(lastUsedOn !== undefined && { lastUsedOn }),
    ...(expiresAt && { expiresAt: expiresAt.getTime() }),
  }
}

/** Under the name `secret` what is shown once is not kept in the clear with an idempotency key. */
export function showNewToken({ now }: Pick<Context, 'now'>, { token: secret, ...made }: NewToken): PanelNewToken {
  return { ...showToken({ ...made, createdAt: now(), lastUsedOn: undefined }), secret }
}
