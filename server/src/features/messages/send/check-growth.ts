import { RequestError } from '../../../base/errors.ts'

const grownByShare = 1.1
const grownByCount = 50

/** A few more or less between looking and sending are usual; another audience is not. */
export function checkGrowth(count: number, confirmed: number): void {
  if (count <= Math.max(confirmed * grownByShare, confirmed + grownByCount)) return
  throw new RequestError(
    'audience-grew',
    `${confirmed} devices were confirmed, but it would go to ${count} by now. Nothing was sent.`,
    { details: { field: 'confirmed', confirmed, count } },
  )
}
