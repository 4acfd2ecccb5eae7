import type { endSeries, getSeries, listSeries, pauseSeries, resumeSeries, skipNext } from '@peyk/contract'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

const pathOf = (id: string) => `/series/${encodeURIComponent(id)}`
const everyMs = 10_000

/** Those that have not ended. */
export function useGoingSeries() {
  const active = useAppQuery<typeof listSeries>(
    '/series',
    { state: 'active', limit: 100 },
    { refetchInterval: everyMs },
  )
  const paused = useAppQuery<typeof listSeries>(
    '/series',
    { state: 'paused', limit: 100 },
    { refetchInterval: everyMs },
  )
  return [...(active.data?.data ?? []), ...(paused.data?.data ?? [])]
}

export function useSeries(id: string) {
  return useAppQuery<typeof getSeries>(pathOf(id), undefined, { keepLast: false, refetchInterval: everyMs })
}

export function useOperateSeries(id: string) {
  const refreshes = ['/series', '/scheduled', '/messages', '/calendar']
  return {
    pause: useAppMutation<typeof pauseSeries>('POST', `${pathOf(id)}/pause`, { refreshes }),
    resume: useAppMutation<typeof resumeSeries>('POST', `${pathOf(id)}/resume`, { refreshes }),
    skip: useAppMutation<typeof skipNext>('POST', `${pathOf(id)}/skipNext`, { refreshes }),
    end: useAppMutation<typeof endSeries>('POST', `${pathOf(id)}/end`, { refreshes }),
  }
}
