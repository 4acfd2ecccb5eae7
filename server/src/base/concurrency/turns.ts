import { setImmediate } from 'node:timers/promises'

/** Maximum time that a long computation blocks other requests. */
const turnMs = 10

/**
 * For long work in many parts whose cost depends on the input. Call it between two parts: it yields to the event loop
 * once the work has run for `turnMs`. Counting parts would not help, because one may cost a thousand times another.
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
