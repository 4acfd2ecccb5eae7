import type { createCampaign, panelCampaign, panelCampaigns } from '@peyk/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

export function useCampaignLines(search: string) {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: [...appKey(appId, '/campaigns'), 'list', { search }],
    queryFn: ({ signal, pageParam }) =>
      call<typeof panelCampaigns>('GET', appPath(appId, '/campaigns'), {
        query: { search, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
}

export function useCampaign(trackId: string) {
  return useAppQuery<typeof panelCampaign>(`/campaigns/${encodeURIComponent(trackId)}`, undefined, { keepLast: false })
}

export function useCreateCampaign() {
  return useAppMutation<typeof createCampaign>('POST', '/campaigns', { refreshes: ['/campaigns'] })
}
