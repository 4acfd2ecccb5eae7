import type { panelOverview, panelUninstalls, panelUninstallsFile, Uninstalls } from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call, type QueryFor } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'
import type { PeriodDays } from '../../parts/fields/PeriodPicker.tsx'

export type UninstallFilter = QueryFor<typeof panelUninstallsFile>

export function useMeasures(days: PeriodDays) {
  return useAppQuery<typeof panelOverview>('/overview', { days })
}

export function useUninstalls(filter: UninstallFilter) {
  const { appId } = useApp()
  return useInfiniteQuery<Uninstalls, Error, Uninstalls['data'], unknown[], string | undefined>({
    queryKey: appKey(appId, '/uninstalls', { ...filter }),
    queryFn: ({ pageParam, signal }) =>
      call<typeof panelUninstalls>('GET', appPath(appId, '/uninstalls'), {
        query: { ...filter, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })
}
