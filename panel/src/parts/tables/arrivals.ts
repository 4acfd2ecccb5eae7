import { useState } from 'react'

/** More at once are another list, not news. */
const mostAtOnce = 10

/** What has come on top of a list since. */
export function arrivedAbove(before: readonly string[], now: readonly string[]): readonly string[] {
  const [first] = before
  const place = first === undefined ? -1 : now.indexOf(first)
  return place > 0 && place <= mostAtOnce ? now.slice(0, place) : []
}

/** The rows that came last on top of a list that was there before: they slide in. */
export function useArrivals(keys: readonly string[]): ReadonlySet<string> {
  const [seen, setSeen] = useState<{ keys: readonly string[]; arrived: ReadonlySet<string> }>({
    keys,
    arrived: new Set(),
  })
  const isSame = keys.length === seen.keys.length && keys.every((key, index) => key === seen.keys[index])
  if (isSame) return seen.arrived
  const next = { keys, arrived: new Set(arrivedAbove(seen.keys, keys)) }
  setSeen(next)
  return next.arrived
}
