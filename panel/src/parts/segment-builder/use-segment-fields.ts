import type { SegmentFields } from '@peyk/contract'
import { useAppQuery } from '../../api/use-app-query.ts'

/** What rules can ask for in this app. */
export function useSegmentFields() {
  return useAppQuery<SegmentFields>('/segments/fields', undefined, { staleTime: 5 * 60_000 })
}

/** Values that a name has, by their beginning. */
export function useSuggestions(name: string, prefix: string, enabled: boolean): string[] {
  const { data } = useAppQuery<string[]>('/segments/suggestions', { name, prefix }, { enabled, staleTime: 60_000 })
  return data ?? []
}
