import { useCallback, useLayoutEffect, useRef } from 'react'

/** One function for all renders, which does what that of the last render does: what is given it need not be drawn anew. */
export function useStableCallback<Args extends unknown[]>(work: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(work)
  useLayoutEffect(() => {
    latest.current = work
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
