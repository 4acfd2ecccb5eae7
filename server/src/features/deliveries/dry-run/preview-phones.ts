import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import type { NamedDraft } from '../../messages/accept/named-draft.ts'
import { readPhone } from '../fallback/read-phone.ts'

export interface PhoneCount {
  users: number
  withPhone: number
}

/**
 * [sending.md#sms-fallback] For messages with a fallback, by their position: how many users there are, and with a phone
 * number.
 */
export async function countPhones(
  database: Database,
  appId: number,
  drafts: readonly NamedDraft[],
): Promise<Map<number, PhoneCount>> {
  const withFallback = drafts.filter(({ body }) => body.fallback)
  const counts = new Map<number, PhoneCount>()
  if (withFallback.length === 0) return counts
  const userIds = [...new Set(withFallback.flatMap((draft) => draft.userIds))]
  const rows = await database.query<{ user_id: string; value: unknown; is_unverified: boolean }>(sql`
    select u.user_id, a.value, coalesce(a.is_unverified, false) as is_unverified from unnest(${userIds}::text[]) as asked(user_id)
    join users u on u.app_id = ${appId} and u.user_id = asked.user_id
    join user_attributes a on a.app_id = ${appId} and a.user_no = u.user_no and a.name = 'phone'`)
  const phones = new Map(
    rows.map(({ user_id, value, is_unverified }) => [user_id, readPhone(user_id, value, is_unverified)]),
  )
  const phoneOf = (userId: string) => (phones.has(userId) ? phones.get(userId) : readPhone(userId, undefined))
  for (const [index, draft] of drafts.entries()) {
    if (!draft.body.fallback) continue
    const known = draft.userIds.filter((userId) => phoneOf(userId) !== undefined)
    counts.set(index + 1, { users: draft.userIds.length, withPhone: known.length })
  }
  return counts
}
