import { RequestError } from '#base/errors.ts'

const grownByShare = 1.1
const grownByCount = 50

/** Refuses a send whose audience has grown far beyond what was confirmed, or beyond `atMost`. */
export function checkGrowth(count: number, confirmed: number, atMost = Number.POSITIVE_INFINITY): void {
  const usual = Math.max(confirmed * grownByShare, confirmed + grownByCount)
  if (count <= usual && count <= atMost) return
  throw new RequestError(
    'audience-grew',
    `${confirmed} devices were confirmed, but the message would now go to ${count}. Nothing was sent.`,
    { details: { field: 'confirmed', confirmed, count } },
  )
}
