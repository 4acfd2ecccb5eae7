import type {
  createSegment,
  deleteSegment,
  panelSampleSegment,
  panelSegment,
  panelSegments,
  replaceSegment,
  SavedSegment,
} from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { completePart } from '../../parts/segment-builder/segment-draft.ts'

export function useSegments() {
  return useAppQuery<typeof panelSegments>('/segments')
}

export function useSegment(id: string | undefined) {
  return useAppQuery<typeof panelSegment>(`/segments/${encodeURIComponent(id ?? '')}`, undefined, {
    enabled: id !== undefined,
    keepLast: false,
  })
}

/** The messages before those that came with the segment, once somebody wants them. */
export function useEarlierUses(id: string, cursor: string | undefined) {
  const { appId } = useApp()
  const [isWanted, setIsWanted] = useState(false)
  const pages = useInfiniteQuery({
    queryKey: [...appKey(appId, `/segments/${id}`), 'uses', cursor],
    queryFn: ({ pageParam, signal }) =>
      call<typeof panelSegment>('GET', appPath(appId, `/segments/${id}`), { query: { cursor: pageParam }, signal }),
    initialPageParam: cursor,
    getNextPageParam: ({ uses }) => uses.cursor,
    enabled: isWanted && cursor !== undefined,
  })
  return {
    data: pages.data?.pages.flatMap(({ uses }) => uses.data) ?? [],
    hasNextPage: pages.data ? pages.hasNextPage : cursor !== undefined,
    isFetchingNextPage: pages.isFetching,
    fetchNextPage: () => (pages.data ? void pages.fetchNextPage() : setIsWanted(true)),
  }
}

/** Ten users who match the rules that are complete. */
export function useSegmentSample(value: unknown) {
  const asked = completePart(value)
  return useAppQuery<typeof panelSampleSegment>('/segments/sample', undefined, {
    body: asked === undefined ? { target: {} } : { segment: asked },
  })
}

export function useSaveSegment(id: string | undefined, onSaved: (saved: SavedSegment) => void) {
  return useAppMutation<typeof createSegment | typeof replaceSegment>(
    id === undefined ? 'POST' : 'PUT',
    id === undefined ? '/segments' : `/segments/${encodeURIComponent(id)}`,
    { refreshes: ['/segments'], onSuccess: onSaved },
  )
}

export function useDeleteSegment(id: string | undefined) {
  return useAppMutation<typeof deleteSegment>('DELETE', `/segments/${encodeURIComponent(id ?? '')}`)
}
