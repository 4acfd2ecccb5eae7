import type { Overview, Uninstalls } from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'

export interface UninstallFilter {
  days: number
  type?: 'churn' | undefined
  platform?: string | undefined
}

export function useMeasures(days: number) {
  return useAppQuery<Overview>('/overview', { days })
}

export function useUninstalls(filter: UninstallFilter) {
  const { appId } = useApp()
  return useInfiniteQuery<Uninstalls, Error, Uninstalls['data'], unknown[], string | undefined>({
    queryKey: appKey(appId, '/uninstalls', { ...filter }),
    queryFn: ({ pageParam, signal }) =>
      call<Uninstalls>('GET', appPath(appId, '/uninstalls'), { query: { ...filter, cursor: pageParam }, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })
}
