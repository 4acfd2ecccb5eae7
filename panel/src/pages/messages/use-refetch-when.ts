import { useEffect, useEffectEvent, useRef } from 'react'

const restMs = 1_500

/** Asks again when a number has changed and then stayed for a moment: what moves all the time would ask all the time. */
export function useRefetchWhen(value: number, refetch: () => unknown): void {
  const last = useRef(value)
  const ask = useEffectEvent(() => void refetch())
  useEffect(() => {
    if (last.current === value) return
    const timer = setTimeout(() => {
      last.current = value
      ask()
    }, restMs)
    return () => clearTimeout(timer)
  }, [value])
}
