import type { Stall } from '@peyk/contract'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

/** “waiting for Google (FCM) since 14:03”, for a send that does not move. */
export function useWaitingWords(): (stalls: readonly Stall[]) => string {
  const { overview, reach } = useTexts()
  const format = useFormat()
  return (stalls) => {
    const since = Math.min(...stalls.map((stall) => stall.since))
    const isToday = new Date(since).toDateString() === new Date().toDateString()
    const names = stalls.map(({ provider }) => overview.providers[provider] ?? provider)
    return reach.waitingFor(format.list(names), isToday ? format.clock(since) : format.moment(since))
  }
}
