import type { panelSegmentFields, panelSegmentSuggestions } from '@peyk/contract'
import { useAppQuery } from '../../api/use-app-query.ts'

/** What rules can ask for in this app. */
export function useSegmentFields() {
  return useAppQuery<typeof panelSegmentFields>('/segments/fields', undefined, { staleTime: 5 * 60_000 })
}

/** Values that a name has, by their beginning. */
export function useSuggestions(name: string, prefix: string, enabled: boolean): string[] {
  const { data } = useAppQuery<typeof panelSegmentSuggestions>(
    '/segments/suggestions',
    { name, prefix },
    { enabled, staleTime: 60_000 },
  )
  return data ?? []
}
