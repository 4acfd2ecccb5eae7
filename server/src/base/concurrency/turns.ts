import { setImmediate } from 'node:timers/promises'

/** What other requests may have to wait for one that has much to compute. */
const turnMs = 10

/**
 * For work in many parts whose cost depends on the input: called between two parts, it lets others have their turn when
 * this work has kept them waiting. A number of parts would say nothing, because one may cost a thousand times another.
 */
export function takeTurns(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < turnMs) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
