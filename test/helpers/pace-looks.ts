import type { Store } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'

interface Look {
  before: number
  after: number
  /** How many installations wait for their turn. */
  left: number
}

/** Looks again and again at what a message with a throttle has left, by all processes together. */
export class PaceLooks {
  private readonly looks: Look[] = []
  private readonly messageId: string

  constructor(messageId: string) {
    this.messageId = messageId
  }

  /** Between two releases: what is released counts from when it was due, and may be stored later. */
  async look(store: Store): Promise<void> {
    const before = performance.now()
    const left = await store.transaction(async (tx) => {
      await tx.query(sql`select from message_paces where message_id = ${this.messageId} for update`)
      const [row] = await tx.query<{ left: number }>(sql`
        select coalesce(sum(cardinality(installation_nos)), 0)::int as left
        from delivery_batches where message_id = ${this.messageId} and paced_from is not null`)
      return row?.left as number
    })
    this.looks.push({ before, after: performance.now(), left })
  }

  /** Where more went between two looks than the pace allows and one second's worth. */
  findTooFast(perSecond: number): { first: Look; second: Look }[] {
    return this.looks.flatMap((first, index) =>
      this.looks
        .slice(index + 1)
        .filter(({ after, left }) => first.left - left > (perSecond * (after - first.before)) / 1_000 + perSecond)
        .map((second) => ({ first, second })),
    )
  }
}

/** The audience is known: from now on nothing is added to what is left. */
export async function isExpanded(store: Store, messageId: string): Promise<boolean> {
  const batches = await store.query(
    sql`select from delivery_batches where message_id = ${messageId} and stream = 'expand'`,
  )
  return batches.length === 0
}
