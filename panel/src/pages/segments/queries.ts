import type { SegmentDetail, SegmentRow, SegmentSample } from '@peyk/contract'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { isComplete, isEmpty, type SegmentValue } from '../../parts/segment-builder/segment-draft.ts'

export function useSegments() {
  return useAppQuery<{ data: SegmentRow[] }>('/segments')
}

export function useSegment(id: string | undefined) {
  return useAppQuery<SegmentDetail>(`/segments/${encodeURIComponent(id ?? '')}`, undefined, {
    enabled: id !== undefined,
    keepLast: false,
  })
}

/** Ten who match. Asked for when the segment is one that can be asked for. */
export function useSegmentSample(value: unknown) {
  const canAsk = isComplete(value) && !isEmpty(value)
  return useAppQuery<SegmentSample>('/segments/sample', undefined, {
    body: canAsk ? { segment: value } : { target: {} },
    enabled: canAsk || isEmpty(value),
  })
}

interface Change {
  name: string
  segment: SegmentValue
}

export function useSaveSegment(id: string | undefined, onSaved: (saved: SegmentRow) => void) {
  return useAppMutation<SegmentRow, Change>(
    id === undefined ? 'POST' : 'PUT',
    id === undefined ? '/segments' : `/segments/${encodeURIComponent(id)}`,
    { refreshes: ['/segments'], onSuccess: onSaved },
  )
}

export function useDeleteSegment(id: string | undefined) {
  return useAppMutation('DELETE', `/segments/${encodeURIComponent(id ?? '')}`)
}
