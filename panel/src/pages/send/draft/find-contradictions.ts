import type { Draft } from './draft.ts'
import { readSpan } from './read-span.ts'

export type Contradiction =
  | 'silentTexts'
  | 'silentInApp'
  | 'silentAutoNotify'
  | 'inAppNotification'
  | 'inAppAutoNotify'
  | 'inAppOnly'
  | 'liveTtl'
  | 'liveAutoNotify'
  | 'liveSms'
  | 'ttlBeforeSms'
  | 'alertUnused'
  | 'useAsAlertUnused'
  | 'personalTrackId'

/** Settings that do not go together, or do nothing beside others: said, never changed. */
export function findContradictions(draft: Draft, isCampaignMissing: boolean): Contradiction[] {
  const { flags, product, notification, alertText, fallback, who } = draft
  const { silent, inApp, live, autoNotify, useAsAlert } = flags
  const ttl = readSpan(draft.ttl)
  const delay = readSpan(fallback.delay)
  const hasSms = fallback.isOn && who.kind === 'users'
  const hasTexts = [notification.title, notification.body, alertText].some((text) => text !== '')
  const found: [Contradiction, boolean][] = [
    ['silentTexts', silent && hasTexts],
    ['silentInApp', silent && inApp],
    ['silentAutoNotify', silent && autoNotify],
    ['inAppNotification', inApp && !silent && hasTexts && product === 'message'],
    ['inAppAutoNotify', inApp && autoNotify],
    ['inAppOnly', inApp && product === 'notification'],
    ['liveTtl', live && typeof ttl === 'number' && ttl > 0],
    ['liveAutoNotify', live && autoNotify],
    ['liveSms', live && hasSms],
    ['ttlBeforeSms', hasSms && typeof ttl === 'number' && ttl > 0 && typeof delay === 'number' && ttl <= delay],
    ['alertUnused', alertText !== '' && notification.body !== ''],
    ['useAsAlertUnused', useAsAlert && (alertText !== '' || notification.body !== '')],
    ['personalTrackId', who.kind === 'users' && draft.trackId.trim() !== '' && isCampaignMissing],
  ]
  return found.flatMap(([name, isThere]) => (isThere ? [name] : []))
}
