import type { LiveData, LiveTopic } from '@peyk/contract'
import { useEffect, useRef } from 'react'
import { useLive } from './live.ts'

const restMs = 1_500

/** Refetches soon after live news about the page, at most once per `restMs`. */
export function useRefetchOnNews<Topic extends LiveTopic>(
  topic: Topic,
  concerns: (news: LiveData[Topic]) => boolean,
  refetch: () => unknown,
): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLive(topic, (news) => {
    if (timer.current !== undefined || !concerns(news)) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      refetch()
    }, restMs)
  })
}
