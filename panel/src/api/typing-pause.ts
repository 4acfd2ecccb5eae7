import { useEffect, useRef, useState } from 'react'

export const longestPauseMs = 300
const atOnceMs = 150

/** Who is answered soon asks with every key; who waits for the answer asks when typing pauses. */
export function pauseAfter(tookMs: number): number {
  return tookMs <= atOnceMs ? 0 : Math.min(longestPauseMs, Math.round(tookMs))
}

/** What was typed, once nothing else has been typed for so long. Without a pause that is the value itself, in the same render. */
export function useSettled<Value>(value: Value, pauseMs: number): Value {
  const [settled, setSettled] = useState(value)
  if (pauseMs === 0 && settled !== value) setSettled(value)
  useEffect(() => {
    if (pauseMs === 0) return
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return pauseMs === 0 ? value : settled
}

/** Tells how long nothing may be typed before the next question: not at all, or as long as the last one took, within bounds. */
export function useAnswerTime(isFetching: boolean, tellPause: (pauseMs: number) => void): void {
  const startedMs = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (isFetching) startedMs.current = performance.now()
    else if (startedMs.current !== undefined) tellPause(pauseAfter(performance.now() - startedMs.current))
  }, [isFetching, tellPause])
}
