import type { DetailCode, LiveData, MessageDetail, MessageLines, MessageOpens, TimelineFact } from '@peyk/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useLive } from '../../api/live.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { type ListWanted, mergeLines } from './merge-lines.ts'
import { useRefetchWhen } from './use-refetch-when.ts'

export interface DeliveryLine {
  installationId?: string
  userId?: string
  deviceType?: string
  state: keyof MessageDetail['states']
  reason?: keyof MessageDetail['reasons']
  provider?: string
  detail?: string
  detailCode?: DetailCode
  detailProvider?: string
  sentAt?: number
  updatedAt: number
}

/** What became of a message on each device of a user. */
export interface Story {
  text: string
  says?: TimelineFact[]
  installations: {
    installationId: string
    deviceType: string
    state?: DeliveryLine['state']
    reason?: DeliveryLine['reason']
    story: { kind: string; text: string; says?: TimelineFact[]; at?: number }[]
  }[]
  fallback?: { state: string; text: string; detail?: string; dueAt?: number; updatedAt?: number; phone?: string }
}

const pathOf = (id: string) => `/messages/${encodeURIComponent(id)}`

/** Messages newest first, kept up to date by the live stream. */
export function useMessageLines(wanted: ListWanted) {
  const { appId } = useApp()
  const client = useQueryClient()
  const { search, kind, trackId } = wanted
  const queryKey = [...appKey(appId, '/messages'), 'list', { search, kind, trackId }]
  useLive('messages', (changed) => {
    client.setQueryData<InfiniteData<MessageLines>>(
      queryKey,
      (old) => old && { ...old, pages: mergeLines(old.pages, changed, wanted) },
    )
  })
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      call<MessageLines>('GET', appPath(appId, '/messages'), {
        query: { search, trackId, ...(kind !== 'all' && { kind }), cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
}

/** One message; its numbers move by themselves. */
export function useMessage(id: string) {
  const { appId } = useApp()
  const client = useQueryClient()
  const message = useAppQuery<MessageDetail>(pathOf(id), undefined, { keepLast: false })
  useLive(
    'message',
    ({ id: changed, ...counts }: LiveData['message']) => {
      client.setQueryData<MessageDetail>(appKey(appId, pathOf(changed)), (old) => old && { ...old, ...counts })
    },
    { message: id, enabled: message.data !== undefined },
  )
  return message
}

/** Asked again when more have opened it. */
export function useOpens(id: string, opened: number) {
  const opens = useAppQuery<MessageOpens>(`${pathOf(id)}/opens`, undefined, { keepLast: false })
  useRefetchWhen(opened, opens.refetch)
  return opens
}

export interface DeliveryFilter {
  state: string
  reason: string
}

/** Asked again when some have come further. */
export function useDeliveries(id: string, { state, reason }: DeliveryFilter, moves: number, isSeen: boolean) {
  const { appId } = useApp()
  const deliveries = useInfiniteQuery({
    queryKey: [...appKey(appId, `${pathOf(id)}/deliveries`), 'list', { state, reason }],
    enabled: isSeen,
    queryFn: ({ signal, pageParam }) =>
      call<{ data: DeliveryLine[]; cursor?: string }>('GET', appPath(appId, `${pathOf(id)}/deliveries`), {
        query: { state, reason, limit: 25, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
  useRefetchWhen(moves, () => isSeen && deliveries.refetch())
  return deliveries
}

export function useTimeline(id: string, user: string | undefined) {
  return useAppQuery<Story>(`${pathOf(id)}/explain`, { user }, { enabled: user !== undefined, keepLast: false })
}

export function useOperate(id: string) {
  const refreshes = ['/messages']
  return {
    pause: useAppMutation<{ waiting: number; inFlight: number }>('POST', `${pathOf(id)}/pause`, { refreshes }),
    resume: useAppMutation('POST', `${pathOf(id)}/resume`, { refreshes }),
    cancel: useAppMutation<{ count: number; inFlight: number }>('DELETE', pathOf(id), { refreshes }),
  }
}
