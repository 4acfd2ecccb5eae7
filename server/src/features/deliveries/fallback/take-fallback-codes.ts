import sql from 'sql-template-tag'
import type { Store, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { getPromoRules } from '../../accounts/apps/get-promo-rules.ts'
import { ensureUsers } from '../../installations/users/ensure-users.ts'
import { findWithheldUsers } from '../../promo/installations-without-codes.ts'
import { takeCodes } from '../../promo/take-codes.ts'
import type { DueFallback } from './claim-store.ts'

/** Without a code where there was none left. */
export type FallbackCode = { code: string | undefined } | { isWithheld: true }

/**
 * [promo-codes.md#who-gets-which-code] The codes of these users, the ones that their devices got: one (message, user)
 * has one code. Taken before the SMS are, in transactions of their own, because who takes codes waits for others who
 * take them.
 */
export async function takeFallbackCodes(
  store: Store,
  due: readonly DueFallback[],
  at: Date,
): Promise<Map<DueFallback, FallbackCode>> {
  const codes = new Map<DueFallback, FallbackCode>()
  for (const listed of byMessage(due)) {
    const [{ appId, messageId, trackId }] = listed
    await store.transaction(async (tx) => {
      const isThere = await areThere(tx, listed)
      const own = listed.filter((_, index) => isThere[index])
      const userNos = await ensureUsers(tx, own)
      const withheld = await findWithheldUsers(tx, { appId, userNos, rules: await getPromoRules(tx, appId), at })
      const wanted = userNos.filter((userNo) => !withheld.has(userNo))
      const taken = await takeCodes(tx, { appId, messageId, trackId: trackId ?? undefined, userNos: wanted })
      for (const [index, each] of own.entries()) {
        const userNo = userNos[index] as number
        codes.set(each, withheld.has(userNo) ? { isWithheld: true } : { code: taken.get(userNo) })
      }
    })
  }
  return codes
}

/** An SMS whose user was deleted since it was listed is not there any more, and its user is not made again. */
async function areThere(tx: Transaction, due: readonly DueFallback[]): Promise<boolean[]> {
  const rows = await tx.query<{ is_there: boolean }>(
    sql`select exists (
          select from sms_fallbacks f where f.app_id = k.app_id and f.message_id = k.message_id and f.user_id = k.user_id
        ) as is_there
        from ${unnestRows(
          due,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            message_id: ['uuid', ({ messageId }) => messageId],
            user_id: ['text', ({ userId }) => userId],
          },
          { position: 'position' },
        )}
        order by k.position`,
    'are-fallbacks-there',
  )
  return rows.map((row) => row.is_there)
}

function byMessage(due: readonly DueFallback[]): [DueFallback, ...DueFallback[]][] {
  const groups = new Map<string, [DueFallback, ...DueFallback[]]>()
  for (const each of due) {
    const key = `${each.appId}/${each.messageId}`
    const own = groups.get(key)
    if (own) own.push(each)
    else groups.set(key, [each])
  }
  return [...groups.values()]
}
