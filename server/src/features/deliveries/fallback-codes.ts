import type { Store } from '../../base/store/store.ts'
import { ensureUsers } from '../installations/ensure-users.ts'
import { takeCodes } from '../promo/take-codes.ts'
import type { DueFallback } from './fallback-claim-store.ts'

/**
 * [choice 42] The codes of these users, the ones that their devices got: one (message, user) has one code. Taken before
 * the SMS are, in transactions of their own, because who takes codes waits for others who take them.
 */
export async function takeFallbackCodes(
  store: Store,
  due: readonly DueFallback[],
): Promise<Map<DueFallback, string | undefined>> {
  const codes = new Map<DueFallback, string | undefined>()
  for (const own of byMessage(due)) {
    const [{ appId, messageId, trackId }] = own
    await store.transaction(async (tx) => {
      const userNos = await ensureUsers(tx, own)
      const taken = await takeCodes(tx, { appId, messageId, trackId: trackId ?? undefined, userNos })
      for (const [index, each] of own.entries()) codes.set(each, taken.get(userNos[index] as number))
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
