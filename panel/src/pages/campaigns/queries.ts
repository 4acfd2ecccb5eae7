import type {
  CampaignDetail,
  createCampaign,
  MessageLines,
  panelCampaign,
  panelCampaigns,
  panelMessages,
} from '@peyk/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation } from '../../api/use-app-query.ts'
import { useRefetchOnNews } from '../../api/use-refetch-on-news.ts'

export function useCampaignLines(search: string) {
  const { appId } = useApp()
  const list = useInfiniteQuery({
    queryKey: [...appKey(appId, '/campaigns'), 'list', { search }],
    queryFn: ({ signal, pageParam }) =>
      call<typeof panelCampaigns>('GET', appPath(appId, '/campaigns'), {
        query: { search, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  useRefetchOnNews('messages', (lines) => lines.some(({ trackId }) => trackId !== undefined), list.refetch)
  return list
}

interface CampaignPage extends MessageLines {
  campaign?: CampaignDetail
}

/** A campaign with its latest messages in one response, and older messages by page. */
export function useCampaign(trackId: string) {
  const { appId } = useApp()
  const path = `/campaigns/${encodeURIComponent(trackId)}`
  const campaign = useInfiniteQuery({
    queryKey: [...appKey(appId, path), 'page'],
    queryFn: async ({ signal, pageParam }): Promise<CampaignPage> => {
      if (pageParam === undefined) {
        const campaign = await call<typeof panelCampaign>('GET', appPath(appId, path), { signal })
        return { campaign, ...campaign.lines }
      }
      const query = { trackId, cursor: pageParam }
      return call<typeof panelMessages>('GET', appPath(appId, '/messages'), { query, signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  })
  // Totals and messages are refetched together: live lines alone would be ahead of the totals.
  useRefetchOnNews('messages', (lines) => lines.some((line) => line.trackId === trackId), campaign.refetch)
  return campaign
}

export function useCreateCampaign() {
  return useAppMutation<typeof createCampaign>('POST', '/campaigns', { refreshes: ['/campaigns'] })
}
