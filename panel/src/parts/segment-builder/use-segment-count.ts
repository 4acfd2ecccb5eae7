import type { countSegment } from '@peyk/contract'
import { useState } from 'react'
import { longestPauseMs, useAnswerTime, useSettled } from '../../api/typing-pause.ts'
import { useAppQuery } from '../../api/use-app-query.ts'
import { completePart, isComplete, isEmpty } from './segment-draft.ts'

const everybody = { target: {} }

/**
 * Counts a segment on every key press, or when typing pauses. Incomplete rules are left out of the count. The last
 * count stays while the next one loads, and the response to an older question is dropped.
 */
export function useSegmentCount(value: unknown) {
  const [pauseMs, setPauseMs] = useState(longestPauseMs)
  const settled = useSettled(value, pauseMs)
  const all = useAppQuery<typeof countSegment>('/segments/count', undefined, { body: everybody, staleTime: 60_000 })
  const asked = completePart(settled)
  const counted = useAppQuery<typeof countSegment>('/segments/count', undefined, {
    body: asked === undefined ? everybody : { segment: asked },
  })
  useAnswerTime(counted.isFetching, setPauseMs)
  return {
    data: counted.data,
    everybody: all.data,
    error: asked === undefined ? null : counted.error,
    isComplete: isEmpty(value) || isComplete(value),
    hasRule: asked !== undefined,
    isCounting: settled !== value || counted.isFetching || counted.isPlaceholderData,
    retry: () => void counted.refetch(),
  }
}
