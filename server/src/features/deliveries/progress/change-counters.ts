import sql from 'sql-template-tag'
import { counterSlot } from '#base/counter-slot.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'

/** So many deliveries more, or fewer, are in this state. */
export interface CounterChange {
  appId: number
  messageId: string
  state: string
  reason?: string
  /** One more, where nothing is said. */
  count?: number
  at: Date
}

const few = 50

/** Moves the counters of messages that are counted. Locks them in their order: see advanceDeliveries. */
export async function changeCounters(database: Database, changes: readonly CounterChange[]): Promise<void> {
  const { sums, perMessage } = addUp(changes)
  if (sums.length === 0) return
  const slots = new Map([...perMessage].map(([id, count]) => [id, counterSlot(count, { fewerThan: few })]))
  const slotOf = ({ messageId }: Sum) => slots.get(messageId) ?? 0
  await database.query(
    sql`insert into delivery_counters as c (app_id, message_id, slot, state, reason, count, first_at, last_at)
        select s.app_id, s.message_id, s.slot, s.state, s.reason, s.count, s.first_at, s.last_at
        from ${unnestRows(sums, 's', {
          app_id: ['int', (sum) => sum.appId],
          message_id: ['uuid', (sum) => sum.messageId],
          slot: ['smallint', slotOf],
          state: ['text', (sum) => sum.state],
          reason: ['text', (sum) => sum.reason],
          count: ['bigint', (sum) => sum.count],
          first_at: ['timestamptz', (sum) => new Date(sum.firstAt).toISOString()],
          last_at: ['timestamptz', (sum) => new Date(sum.lastAt).toISOString()],
        })}
        cross join lateral (
          select recipients from messages m where m.app_id = s.app_id and m.id = s.message_id offset 0
        ) m
        where m.recipients >= ${countedRecipients}
        order by s.app_id, s.message_id, s.slot, s.state collate "C", s.reason collate "C"
        on conflict (app_id, message_id, slot, state, reason) do update
        set count = c.count + excluded.count, first_at = least(c.first_at, excluded.first_at),
          last_at = greatest(c.last_at, excluded.last_at)`,
    'change-counters',
  )
}

interface Sum {
  appId: number
  messageId: string
  state: string
  reason: string
  count: number
  /** How many deliveries came or went. */
  moves: number
  firstAt: number
  lastAt: number
}

function addUp(changes: readonly CounterChange[]): { sums: Sum[]; perMessage: Map<string, number> } {
  const sums = new Map<string, Sum>()
  let last: Sum | undefined
  for (const { appId, messageId, state, reason = '', count = 1, at } of changes) {
    const time = at.getTime()
    // Most are of the same message as the one before: they need no key.
    if (last?.messageId === messageId && last.state === state && last.reason === reason && last.appId === appId) {
      add(last, count, time)
      continue
    }
    const key = `${appId}/${messageId}/${state}/${reason}`
    const sum = sums.get(key) ?? { appId, messageId, state, reason, count: 0, moves: 0, firstAt: time, lastAt: time }
    sums.set(key, sum)
    add(sum, count, time)
    last = sum
  }
  const perMessage = new Map<string, number>()
  for (const { messageId, moves } of sums.values()) perMessage.set(messageId, (perMessage.get(messageId) ?? 0) + moves)
  return { sums: [...sums.values()].filter((sum) => sum.count !== 0), perMessage }
}

function add(sum: Sum, count: number, time: number): void {
  sum.count += count
  sum.moves += Math.abs(count)
  sum.firstAt = Math.min(sum.firstAt, time)
  sum.lastAt = Math.max(sum.lastAt, time)
}
