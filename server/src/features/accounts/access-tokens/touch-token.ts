import sql from 'sql-template-tag'
import type { Store } from '#base/store/store.ts'
import type { AccessToken } from './find-token.ts'

/** Notes the day on which a token was last used, once a day. */
export async function touchToken(store: Store, token: AccessToken, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10)
  if (token.lastUsedOn === today) return
  token.lastUsedOn = today
  await store.query(sql`
    update access_tokens set last_used_on = ${today} where app_id = ${token.app.id} and token_id = ${token.tokenId}`)
}
