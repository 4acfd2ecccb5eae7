import type { MessageDetail } from '@peyk/contract'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

export type When = number | string | { local: string } | undefined

/** “1 Dec 2026, 09:00”, or “1 Dec 2026, 09:00 local time”. */
export function useSayWhen(): (when: When) => string {
  const { send } = useTexts()
  const format = useFormat()
  return (when) =>
    typeof when === 'object'
      ? send.when.localMoment(format.moment(Date.parse(when.local)))
      : format.moment(Number(when ?? 0))
}

const firstAheadMs = 14 * 3_600_000

/** A moment of a series. With a local time it is the one of the first clocks on earth, which show that time then. */
export function occursAt(at: number, isLocal: boolean): When {
  return isLocal ? { local: new Date(at + firstAheadMs).toISOString().slice(0, 19) } : at
}

/** Of a message that goes later. */
export function whenOf({ localTime, sendAt }: Pick<MessageDetail, 'localTime' | 'sendAt'>): When {
  return localTime ?? sendAt
}
