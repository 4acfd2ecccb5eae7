import { type BatchContext, defineBatch } from '#base/batch.ts'
import { RequestError } from '#base/errors.ts'
import { nextId } from '#base/ids.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import { countUsage } from '../../accounts/quotas/usage-tally.ts'
import { unknownInstallation } from '../../installations/installation-id.ts'
import { ensureUsers } from '../../installations/users/ensure-users.ts'
import { findForgottenUsers } from '../../installations/users/forgotten-users.ts'
import type { EventDraft, StoredEvent } from '../event.ts'
import { countInfluence } from '../influence/count-influence.ts'
import { dropForeignInfluence } from '../influence/drop-foreign-influence.ts'
import { settleKinds } from '../kinds/settle-kinds.ts'
import { findSubjects, type Subject } from './find-subjects.ts'
import { recordEventIds } from './record-event-ids.ts'
import { type EventRow, writeEvents } from './write-events.ts'
import { writeSettledEvents } from './write-settled-events.ts'

/** Events that are stored together or, when one of them cannot be, not at all. */
export type EventList = readonly EventDraft[]

/**
 * Stores what single calls bring: in one lane, because a statement costs much that does not depend on how many are in
 * it.
 */
export const storeEvents = defineBatch<EventList, StoredEvent[]>({
  name: 'events',
  maxWeight: 2_000,
  weight: (list) => list.length,
  laneKey: subjectOf,
  lanes: 1,
  refresh: withNewIds,
  fastPath: { isEligible: isSettledSingle, flush: flushFastPath },
  flush: (tx, lists, ctx) => flush(tx, lists, ctx, false),
})

/** Stores long lists, apart from single calls so that these do not wait for them. */
export const storeManyEvents = defineBatch<EventList, StoredEvent[]>({
  name: 'many-events',
  maxWeight: 4_000,
  weight: (list) => list.length,
  laneKey: subjectOf,
  refresh: withNewIds,
  flush: (tx, lists, ctx) => flush(tx, lists, ctx, true),
})

function subjectOf([first]: EventList): string {
  return first?.userId ?? first?.installationId ?? ''
}

/** Nobody has been told their ids yet. */
function withNewIds(list: EventList, { now }: BatchContext): EventList {
  return list.map((draft) => ({ ...draft, id: nextId(now) }))
}

/** A single event of which everything is known: no new kinds of values, no client's id, no influence. */
function isSettledSingle(list: EventList): boolean {
  const [draft] = list
  return list.length === 1 && !draft?.isUnsettled && draft?.clientEventId === null && draft.influence === null
}

/** The events of one user are all stored here or all left to `flush`, so they stay in order. */
async function flushFastPath(store: Store, lists: EventList[]): Promise<(StoredEvent[] | undefined)[]> {
  const drafts = lists.flat()
  const isStored = await writeSettledEvents(store, drafts)
  for (const [index, { appId }] of drafts.entries())
    if (isStored[index]) countUsage({ store, app: { id: appId } }, 'events', 1)
  return drafts.map((draft, index) => (isStored[index] ? [answer(draft, false)] : undefined))
}

async function flush(
  tx: Transaction,
  lists: EventList[],
  ctx: BatchContext,
  namesElements: boolean,
): Promise<(StoredEvent[] | RequestError)[]> {
  const drafts = lists.length === 1 ? (lists[0] as EventList) : lists.flat()
  const forgotten = await findForgotten(tx, drafts)
  const subjects = await findSubjects(tx, drafts)
  const faults = findFaults(lists, subjects, namesElements)
  const rows = await toRows(tx, lists, { subjects, faults, forgotten })
  const news = await leaveOutRepeated(tx, rows, ctx)
  const unsettled = news.flatMap((row) => (row.draft.isUnsettled ? [row.draft] : []))
  if (unsettled.length > 0) await settleKinds(ctx, tx, unsettled)
  await dropForeignInfluence(tx, news)
  if (news.length > 0) await writeEvents(tx, news)
  for (const [appId, count] of countByApp(news))
    countUsage({ store: ctx.store, tx, app: { id: appId } }, 'events', count)
  await countInfluence(
    tx,
    news.flatMap((row) => (row.draft.influence === null ? [] : [row.draft])),
  )
  const repeated = news === rows ? undefined : new Set(rows.map((row) => row.draft))
  if (repeated) for (const { draft } of news) repeated.delete(draft)
  return lists.map((list, index) => faults[index] ?? list.map((draft) => answer(draft, repeated?.has(draft) === true)))
}

function countByApp(rows: readonly EventRow[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { draft } of rows) counts.set(draft.appId, (counts.get(draft.appId) ?? 0) + 1)
  return counts
}

/** Those of users who were deleted after the request came: as if they had been stored before, and deleted with the user. */
async function findForgotten(tx: Transaction, drafts: readonly EventDraft[]): Promise<ReadonlySet<EventDraft>> {
  const isForgotten = await findForgottenUsers(
    tx,
    drafts.map(({ appId, userId, installationId, begunAt }) => ({
      appId,
      id: userId ?? (installationId as string),
      begunAt: new Date(begunAt),
    })),
  )
  return new Set(drafts.filter((_, index) => isForgotten[index]))
}

function answer(draft: EventDraft, isRepeated: boolean): StoredEvent {
  const { id, timeWarning, kindWarnings } = draft
  const warnings = timeWarning === undefined ? kindWarnings : [timeWarning, ...(kindWarnings ?? [])]
  return { id, warnings, isRepeated }
}

/** What keeps a list from being stored; the first fault of each. */
function findFaults(lists: EventList[], subjects: Subject[], namesElements: boolean): (RequestError | undefined)[] {
  let position = 0
  return lists.map((list) => {
    let fault: RequestError | undefined
    for (const [index, draft] of list.entries()) {
      const subject = subjects[position++] as Subject
      if (fault || draft.installationId === undefined) continue
      fault = faultOf(draft, subject)
      if (fault && namesElements) fault = atElement(fault, index)
    }
    return fault
  })
}

function faultOf({ userId, installationId }: EventDraft, subject: Subject): RequestError | undefined {
  if (subject.installation_no === null) return unknownInstallation(installationId as string)
  if (!subject.is_foreign) return undefined
  const message = `The installation "${installationId}" is not one of the user "${userId}".`
  return new RequestError('invalid-request', message, { details: { field: 'installationId' } })
}

/** [users-and-events.md#events] Of a list, the fault names the element. */
export function atElement(fault: RequestError, index: number): RequestError {
  return new RequestError(fault.code, `Element ${index}: ${fault.message}`, { details: { ...fault.details, index } })
}

async function toRows(
  tx: Transaction,
  lists: EventList[],
  {
    subjects,
    faults,
    forgotten,
  }: {
    subjects: Subject[]
    faults: readonly (RequestError | undefined)[]
    forgotten: ReadonlySet<EventDraft>
  },
): Promise<EventRow[]> {
  const rows: EventRow[] = []
  const unknownUsers: EventRow[] = []
  let position = 0
  for (let index = 0; index < lists.length; index++) {
    const list = lists[index] as EventList
    for (let element = 0; element < list.length; element++) {
      const subject = subjects[position++] as Subject
      const draft = list[element] as EventDraft
      if (faults[index] || forgotten.has(draft)) continue
      const row = {
        draft,
        userNo: subject.user_no ?? 0,
        installationNo: subject.installation_no,
      }
      rows.push(row)
      if (subject.user_no === null) unknownUsers.push(row)
    }
  }
  if (unknownUsers.length > 0) await makeUsers(tx, unknownUsers)
  return rows
}

async function makeUsers(tx: Transaction, unknownUsers: EventRow[]): Promise<void> {
  const keys = unknownUsers.map(({ draft }) => ({ appId: draft.appId, userId: draft.userId as string }))
  const numbers = await ensureUsers(tx, keys)
  for (const [index, row] of unknownUsers.entries()) row.userNo = numbers[index] as number
}

async function leaveOutRepeated(tx: Transaction, rows: EventRow[], ctx: BatchContext): Promise<EventRow[]> {
  const named = rows.filter((row) => row.draft.clientEventId !== null)
  if (named.length === 0) return rows
  const keys = named.map(({ draft, installationNo }) => ({
    appId: draft.appId,
    installationNo: installationNo as number,
    eventId: draft.clientEventId as string,
  }))
  const isNew = await recordEventIds(tx, keys, ctx.now())
  const repeated = new Set(named.filter((_, index) => !isNew[index]))
  return repeated.size === 0 ? rows : rows.filter((row) => !repeated.has(row))
}
