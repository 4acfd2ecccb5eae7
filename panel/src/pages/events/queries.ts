import type { AnswerOf, events, panelEvent, panelEventNames } from '@peyk/contract'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import { useAppQuery } from '../../api/use-app-query.ts'
import type { PeriodDays } from '../../parts/fields/PeriodPicker.tsx'

/** An event as the wire has it. */
export type ListedEvent = AnswerOf<typeof events>['data'][number]

export function useEventNames(search: string) {
  return useAppQuery<typeof panelEventNames>(
    '/events/names',
    { search: search || undefined },
    { refetchInterval: 60_000 },
  )
}

export function useEvent(name: string, days: PeriodDays) {
  return useAppQuery<typeof panelEvent>('/events/one', { name, days })
}

export function useLatestEvents(eventName: string) {
  return useAppQuery<typeof events>('/events', { eventName, limit: 20 })
}

const shownEvents = 60

/** Events as they arrive, the newest first. While it is held, what comes is only counted. */
export function useTail(isHeld: boolean): { events: readonly ListedEvent[]; waiting: number; isThere: boolean } {
  const latest = useAppQuery<typeof events>('/events', { limit: shownEvents })
  const [news, setNews] = useState<readonly ListedEvent[]>([])
  const [held, setHeld] = useState<readonly ListedEvent[]>()
  useLive('events', (arrived) => setNews((old) => mergeEvents(arrived, old)))
  const known = latest.data || news.length > 0 ? mergeEvents(news, latest.data?.data ?? []) : undefined
  if (isHeld && held === undefined && known !== undefined) setHeld(known)
  if (!isHeld && held !== undefined) setHeld(undefined)
  const shown = held ?? known ?? []
  const seen = new Set(shown.map(({ id }) => id))
  return {
    events: shown,
    waiting: (known ?? []).filter(({ id }) => !seen.has(id)).length,
    isThere: known !== undefined,
  }
}

function mergeEvents(news: readonly ListedEvent[], old: readonly ListedEvent[]): ListedEvent[] {
  const ids = new Set(news.map(({ id }) => id))
  const all = [...news, ...old.filter(({ id }) => !ids.has(id))]
  return all.sort((a, b) => b.eventTime - a.eventTime).slice(0, shownEvents)
}
