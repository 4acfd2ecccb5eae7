import type { Store } from '../../base/store/store.ts'
import { getPromoRules } from '../accounts/get-promo-rules.ts'
import { ensureUsers } from '../installations/ensure-users.ts'
import { takeCodes } from '../promo/take-codes.ts'
import { findWithheldUsers } from '../promo/withheld-store.ts'
import type { DueFallback } from './fallback-claim-store.ts'

/** Without a code where there was none left. */
export type FallbackCode = { code: string | undefined } | { isWithheld: true }

/**
 * [choice 42] The codes of these users, the ones that their devices got: one (message, user) has one code. Taken before
 * the SMS are, in transactions of their own, because who takes codes waits for others who take them.
 */
export async function takeFallbackCodes(
  store: Store,
  due: readonly DueFallback[],
  at: Date,
): Promise<Map<DueFallback, FallbackCode>> {
  const codes = new Map<DueFallback, FallbackCode>()
  for (const own of byMessage(due)) {
    const [{ appId, messageId, trackId }] = own
    await store.transaction(async (tx) => {
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
