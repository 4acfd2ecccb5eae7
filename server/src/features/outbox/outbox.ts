import type { WebhookBody, WebhookEvent } from '@peyk/contract'
import sql from 'sql-template-tag'
import { timeOrderedId } from '#base/ids.ts'
import { runAsService } from '#base/store/pool/connection-scope.ts'
import type { Database, Store } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** Something that happened, for whom it may concern. */
export type Happening = {
  [Kind in WebhookEvent]: { appId: number; kind: Kind; at: Date; body: WebhookBody<Kind> }
}[WebhookEvent]

interface Interests {
  /** `app/kind` of every webhook that is enabled. Undefined: not known. */
  wanted: ReadonlySet<string> | undefined
  readAt: number
  /** Counts the changes that this process made. */
  changes: number
  reading: Promise<void> | undefined
}

const refreshMs = 1_000
const staleMs = 2_000

const interestsOf = new WeakMap<Store, Interests>()

/**
 * Whether a webhook of the app may want to be told. Answered from memory, which is at most two seconds old: then it is
 * read anew, and until it is known the answer is yes.
 */
export function mayInterest(store: Store, appId: number, kind: WebhookEvent): boolean {
  const interests = interestsIn(store)
  const age = performance.now() - interests.readAt
  if (age >= refreshMs)
    interests.reading ??= runAsService(() => readInterests(store, interests)).finally(() => {
      interests.reading = undefined
    })
  return interests.wanted === undefined || age >= staleMs || interests.wanted.has(`${appId}/${kind}`)
}

/**
 * Returns when memory knows again who wants to be told, or could not learn it: for whoever takes long over a yes. Who is
 * in a transaction asks there, and waits for no other connection.
 */
export async function knowInterests(store: Store, database: Database): Promise<void> {
  const interests = interestsIn(store)
  if (performance.now() - interests.readAt >= staleMs) await readInterests(database, interests)
}

/** Called by who changes a webhook, so that this process knows at once. Others know within two seconds. */
export function forgetInterests(store: Store): void {
  const interests = interestsIn(store)
  interests.readAt = Number.NEGATIVE_INFINITY
  interests.changes++
}

/**
 * Leaves what happened to whoever tells the webhooks, in the transaction in which it happened. Only what somebody
 * wants to know is left; when nobody does, there is no statement at all.
 */
export async function leaveInOutbox(database: Database, store: Store, happenings: readonly Happening[]): Promise<void> {
  const left = happenings.filter(({ appId, kind }) => mayInterest(store, appId, kind))
  if (left.length === 0) return
  await database.query(
    sql`insert into outbox (app_id, id, kind, happened_at, body)
        select app_id, id, kind, happened_at, body
        from ${unnestRows(
          left,
          'h',
          {
            app_id: ['int', ({ appId }) => appId],
            id: ['uuid', ({ at }) => timeOrderedId(at)],
            kind: ['text', ({ kind }) => kind],
            happened_at: ['timestamptz', ({ at }) => at.toISOString()],
            body: ['jsonb', ({ body }) => JSON.stringify(body)],
          },
          { position: 'position' },
        )}
        where exists (
          select from webhooks w where w.app_id = h.app_id and w.disabled_at is null and h.kind = any(w.events))
        order by position`,
    'leave-in-outbox',
  )
}

function interestsIn(store: Store): Interests {
  let interests = interestsOf.get(store)
  if (!interests) {
    interests = { wanted: undefined, readAt: Number.NEGATIVE_INFINITY, changes: 0, reading: undefined }
    interestsOf.set(store, interests)
    const kept = interests
    store.onDrain(async () => kept.reading)
  }
  return interests
}

/** What is read counts from when the reading began: a webhook that was added meanwhile may be missing. */
async function readInterests(database: Database, interests: Interests): Promise<void> {
  const startedAt = performance.now()
  const { changes } = interests
  try {
    const rows = await database.query<{ app_id: number; kind: string }>(
      sql`select distinct app_id, unnest(events) as kind from webhooks where disabled_at is null`,
      'read-interests',
    )
    if (interests.changes !== changes) return
    interests.wanted = new Set(rows.map(({ app_id, kind }) => `${app_id}/${kind}`))
    interests.readAt = startedAt
  } catch {
    // The database is away; whoever happens next asks again.
  }
}
