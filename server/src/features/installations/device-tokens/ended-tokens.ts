import type { Installation } from '../installation.ts'
import { installationKey } from '../register/apply-installation-changes.ts'
import { hashDeviceToken } from './device-token.ts'
import type { EndedToken } from './past-tokens-store.ts'

/** Which tokens ended when these installations became what they are now, and why. */
export function endedTokens(before: ReadonlyMap<string, Installation>, changed: readonly Installation[]): EndedToken[] {
  const identity = (appId: number, token: string) => `${appId}/${hashDeviceToken(token).toString('base64')}`
  const held = new Set(changed.flatMap(({ appId, deviceToken }) => (deviceToken ? [identity(appId, deviceToken)] : [])))
  return changed.flatMap((installation): EndedToken[] => {
    const { appId, installationNo, deviceToken, tokenChangedAt } = installation
    const old = before.get(installationKey(installation))
    if (!old?.deviceToken || old.deviceToken === deviceToken || installationNo === undefined) return []
    const was = identity(appId, old.deviceToken)
    // Written in another way, it is the same one.
    if (deviceToken && identity(appId, deviceToken) === was) return []
    return [
      {
        appId,
        installationNo,
        givenAt: old.tokenChangedAt,
        endedAt: tokenChangedAt as Date,
        reason: deviceToken ? 'renewed' : held.has(was) ? 'taken' : 'withdrawn',
      },
    ]
  })
}
