import { useEffect, useRef } from 'react'

export const longestPauseMs = 300
const atOnceMs = 150

/** Who is answered soon asks with every key; who waits for the answer asks when typing pauses. */
export function pauseAfter(tookMs: number): number {
  return tookMs <= atOnceMs ? 0 : Math.min(longestPauseMs, Math.round(tookMs))
}

/** Tells how long nothing may be typed before the next question: not at all, or as long as the last one took, within bounds. */
export function useAnswerTime(isFetching: boolean, tellPause: (pauseMs: number) => void): void {
  const startedMs = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (isFetching) startedMs.current = performance.now()
    else if (startedMs.current !== undefined) tellPause(pauseAfter(performance.now() - startedMs.current))
  }, [isFetching, tellPause])
}
