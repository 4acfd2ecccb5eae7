import type { countSegment } from '@peyk/contract'
import { useState } from 'react'
import { longestPauseMs, useAnswerTime, useSettled } from '../../api/typing-pause.ts'
import { useAppQuery } from '../../api/use-app-query.ts'
import { isComplete, isEmpty } from './segment-draft.ts'

const everybody = { target: {} }

/**
 * How many a segment finds, counted with every key, or when typing pauses. The last count stays while the next is on its way, and an
 * answer to an older question is dropped.
 */
export function useSegmentCount(value: unknown) {
  const [pauseMs, setPauseMs] = useState(longestPauseMs)
  const settled = useSettled(value, pauseMs)
  const all = useAppQuery<typeof countSegment>('/segments/count', undefined, { body: everybody, staleTime: 60_000 })
  const canAsk = isComplete(settled) && !isEmpty(settled)
  const counted = useAppQuery<typeof countSegment>('/segments/count', undefined, {
    body: canAsk ? { segment: settled } : everybody,
    enabled: canAsk || isEmpty(settled),
  })
  useAnswerTime(counted.isFetching, setPauseMs)
  const isWhole = isEmpty(value) || isComplete(value)
  return {
    data: counted.data,
    everybody: all.data,
    error: canAsk ? counted.error : null,
    isComplete: isWhole,
    isCounting: isWhole && (settled !== value || counted.isFetching || counted.isPlaceholderData),
    retry: () => void counted.refetch(),
  }
}
