import type { Database } from '#base/store/store.ts'
import { findForgottenUsers } from '../../installations/users/forgotten-users.ts'
import type { NamedDraft } from './named-draft.ts'

/** A user who was deleted after the request came is none of those it goes to. A message to nobody else is left out. */
export async function withoutForgotten(db: Database, drafts: readonly NamedDraft[]): Promise<readonly NamedDraft[]> {
  const named = drafts.flatMap(({ appId, begunAt, userIds }) => userIds.map((id) => ({ appId, id, begunAt })))
  const isForgotten = await findForgottenUsers(db, named)
  if (!isForgotten.includes(true)) return drafts
  let position = 0
  return drafts
    .map((draft) => ({ ...draft, userIds: draft.userIds.filter(() => !isForgotten[position++]) }))
    .filter(({ userIds }) => userIds.length > 0)
}
