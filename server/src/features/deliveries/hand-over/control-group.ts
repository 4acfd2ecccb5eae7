import { createHash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'

/**
 * Whether a user is one of those who get nothing but transactional messages. The hash is of the app and the user alone:
 * it is the same everywhere, and who is in it stays in it when the share grows.
 */
export function isInControlGroup(appId: number, userId: string, percent: number): boolean {
  return percent > 0 && (sharesOf(`control/${appId}/${userId}`, 1)[0] as number) * 100 < percent
}

/** The same in SQL. */
export function inControlGroup(appId: number, userId: Sql, percent: number): Sql {
  const hash = sql`sha256(convert_to(${`control/${appId}/`} || ${userId}, 'UTF8'))`
  const number = sql`('x' || encode(substring(${hash} for 6), 'hex'))::bit(48)::bigint`
  return percent > 0 ? sql`${number} * 100.0 / 281474976710656 < ${percent}::float8` : sql`false`
}

/** Up to five numbers from 0 to 1 that depend on the text alone, evenly spread over texts and independent of one another. */
export function sharesOf(text: string, count: number): number[] {
  const hash = createHash('sha256').update(text).digest()
  return Array.from({ length: count }, (_, index) => hash.readUIntBE(index * 6, 6) / 2 ** 48)
}
