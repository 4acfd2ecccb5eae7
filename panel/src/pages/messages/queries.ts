import type {
  AnswerOf,
  cancelMessage,
  DeliveryReason,
  DeliveryState,
  deliveries,
  explainMessage,
  MessageCounts,
  MessageDetail,
  MessageLines,
  panelMessage,
  panelMessages,
  panelMoveScheduled,
  pauseMessage,
  recallMessage,
  resumeMessage,
  scheduledMessages,
} from '@peyk/contract'
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { useLiveMerge } from '../../api/use-live-merge.ts'
import { type ListWanted, mergeLines } from './merge-lines.ts'
import { hasNotStarted } from './message-status.ts'
import { useRefetchWhen } from './use-refetch-when.ts'

export type DeliveryLine = AnswerOf<typeof deliveries>['data'][number]

/** What became of a message on each device of a user. */
export type Story = AnswerOf<typeof explainMessage>

const pathOf = (id: string) => `/messages/${encodeURIComponent(id)}`

/** Messages newest first, kept up to date by the live stream. */
export function useMessageLines(wanted: ListWanted) {
  const { appId } = useApp()
  const { search, kind, trackId } = wanted
  const queryKey = [...appKey(appId, '/messages'), 'list', { search, kind, trackId }]
  useLiveMerge('messages', queryKey, (old: InfiniteData<MessageLines>, changed) => {
    return { ...old, pages: mergeLines(old.pages, changed, wanted) }
  })
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      call<typeof panelMessages>('GET', appPath(appId, '/messages'), {
        query: { search, trackId, ...(kind !== 'all' && { kind }), cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
}

/** What goes next comes first. */
export function useScheduled() {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: appKey(appId, '/scheduled'),
    queryFn: ({ signal, pageParam }) =>
      call<typeof scheduledMessages>('GET', appPath(appId, '/scheduled'), { query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: 10_000,
  })
}

/** One message; its numbers move by themselves. */
export function useMessage(id: string) {
  const { appId } = useApp()
  const message = useAppQuery<typeof panelMessage>(pathOf(id), undefined, {
    keepLast: false,
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'scheduled' && hasNotStarted(data) ? untilStart(data.sendAt) : false,
  })
  useLiveMerge(
    'message',
    appKey(appId, pathOf(id)),
    (old: MessageDetail, { id: changed, ...counts }) =>
      changed === id && counts.at >= old.at ? withCounts(old, counts) : old,
    { message: id, enabled: message.data !== undefined },
  )
  return message
}

const counted = [
  ...(['states', 'reasons', 'actions', 'languages', 'progress', 'influenced', 'fallbackCounts'] as const),
  ...(['at', 'opens', 'test', 'codes', 'cancelledAt', 'recalledAt', 'recall'] as const),
] satisfies (keyof MessageCounts)[]

/** Replaces all numbers with those of another snapshot: a part that is absent now is not kept. */
export function withCounts(message: MessageDetail, counts: MessageCounts): MessageDetail {
  const rest = { ...message } as Partial<MessageDetail>
  for (const name of counted) delete rest[name]
  return { ...rest, ...counts } as MessageDetail
}

/** Refetches a waiting message when it should have started, and at least every 10 s before, because it may be moved. */
function untilStart(sendAt = 0): number {
  return Math.min(Math.max(sendAt - Date.now() + 1_000, 1_000), 10_000)
}

export interface DeliveryFilter {
  state: DeliveryState | undefined
  reason: DeliveryReason | undefined
}

/** Asked again when some have come further. */
export function useDeliveries(id: string, { state, reason }: DeliveryFilter, moves: number, isSeen: boolean) {
  const { appId } = useApp()
  const list = useInfiniteQuery({
    queryKey: [...appKey(appId, `${pathOf(id)}/deliveries`), 'list', { state, reason }],
    enabled: isSeen,
    queryFn: ({ signal, pageParam }) =>
      call<typeof deliveries>('GET', appPath(appId, `${pathOf(id)}/deliveries`), {
        query: { state, reason, limit: 25, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  })
  useRefetchWhen(moves, () => isSeen && list.refetch())
  return list
}

export function useTimeline(id: string, user: string | undefined) {
  return useAppQuery<typeof explainMessage>(
    `${pathOf(id)}/explain`,
    { user },
    { enabled: user !== undefined, keepLast: false },
  )
}

export function useOperate(id: string) {
  const refreshes = ['/messages', '/scheduled', '/calendar']
  return {
    pause: useAppMutation<typeof pauseMessage>('POST', `${pathOf(id)}/pause`, { refreshes }),
    resume: useAppMutation<typeof resumeMessage>('POST', `${pathOf(id)}/resume`, { refreshes }),
    cancel: useAppMutation<typeof cancelMessage>('DELETE', pathOf(id), { refreshes }),
    recall: useAppMutation<typeof recallMessage>('POST', `${pathOf(id)}/recall`, { refreshes }),
    move: useAppMutation<typeof panelMoveScheduled>('PUT', `${pathOf(id)}/time`, { refreshes }),
  }
}
