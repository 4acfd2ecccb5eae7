import { createHash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'

/**
 * Whether a user is one of those who get nothing but transactional messages. The hash is of the app and the user alone:
 * it is the same everywhere, and who is in it stays in it when the share grows.
 */
export function isInControlGroup(appId: number, userId: string, percent: number): boolean {
  return percent > 0 && isBelow(sharesOf(`control/${appId}/${userId}`, 1)[0] as number, percent)
}

/** The same in SQL. Hashes are compared as bytes, because turning each into a number takes longer than hashing. */
export function inControlGroup(appId: number, userId: Sql, percent: number): Sql {
  const hash = sql`sha256(convert_to(${`control/${appId}/`} || ${userId}, 'UTF8'))`
  const outside = firstOutside(percent)
  return outside === 2 ** 48 ? sql`true` : sql`${hash} < decode(${outside.toString(16).padStart(12, '0')}, 'hex')`
}

/** The lowest of 2^48 numbers that the share does not reach. */
function firstOutside(percent: number): number {
  let [inside, outside] = [-1, 2 ** 48]
  while (outside - inside > 1) {
    const middle = Math.floor((inside + outside) / 2)
    if (isBelow(middle / 2 ** 48, percent)) inside = middle
    else outside = middle
  }
  return outside
}

function isBelow(share: number, percent: number): boolean {
  return share * 100 < percent
}

/** Up to five numbers from 0 to 1 that depend on the text alone, evenly spread over texts and independent of one another. */
export function sharesOf(text: string, count: number): number[] {
  const hash = createHash('sha256').update(text).digest()
  return Array.from({ length: count }, (_, index) => hash.readUIntBE(index * 6, 6) / 2 ** 48)
}
