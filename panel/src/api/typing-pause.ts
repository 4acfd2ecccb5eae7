import { useEffect, useRef } from 'react'

export const longestPauseMs = 300
const shortestMs = 20

/** Who is answered at once asks with almost every key; who waits for the answer asks when typing pauses. */
export function pauseAfter(tookMs: number): number {
  return Math.min(longestPauseMs, Math.max(shortestMs, Math.round(tookMs / 2)))
}

/** Tells how long nothing may be typed before the next question: half as long as the last one took, within bounds. */
export function useAnswerTime(isFetching: boolean, tellPause: (pauseMs: number) => void): void {
  const startedMs = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (isFetching) startedMs.current = performance.now()
    else if (startedMs.current !== undefined) tellPause(pauseAfter(performance.now() - startedMs.current))
  }, [isFetching, tellPause])
}
