import type { BatchContext } from '#base/batch.ts'
import { limits } from '#base/config.ts'
import type { Transaction } from '#base/store/store.ts'
import { raiseAlert } from '../../accounts/alerts/raise-alert.ts'
import type { ValueKind } from '../../installations/attributes/value-kind.ts'
import type { EventDraft } from '../event.ts'
import { kindOfValue } from './event-values.ts'
import { judgeKinds } from './judge-kinds.ts'
import { knownKinds } from './known-kinds.ts'
import { countValueNames, findValueNames, insertValueNames, type ValueName } from './value-names-store.ts'

type KindsByEvent = Map<string, Map<string, ValueKind>>

/** Finds out, or makes, the kinds of values which are new to this process, and judges the drafts by them. */
export async function settleKinds(ctx: BatchContext, tx: Transaction, drafts: readonly EventDraft[]): Promise<void> {
  const uses = firstUses(drafts)
  const kinds: KindsByEvent = new Map()
  const found = await findValueNames(tx, uses)
  note(kinds, found)
  const cache = knownKinds(ctx.store)
  for (const { appId, key, name, kind, isCommitted } of found) if (isCommitted) cache.add(appId, key, name, kind)
  const unknown = uses.filter((use) => kindIn(kinds, use) === undefined)
  const news = unknown.length > 0 ? await leaveOutTooMany(ctx, tx, unknown) : []
  if (news.length > 0) {
    const made = await insertValueNames(tx, news)
    note(kinds, made)
    // Another process was first with those that are still missing.
    if (made.length < news.length) note(kinds, await findValueNames(tx, news))
  }
  for (const draft of drafts) judgeKinds(draft, kinds.get(eventKey(draft)) ?? new Map())
}

/** An event has so many names of values that are known to segments; further ones are stored with it and no more. */
async function leaveOutTooMany(ctx: BatchContext, tx: Transaction, uses: readonly ValueName[]): Promise<ValueName[]> {
  const counts = await countValueNames(tx, uses)
  const left = new Set<string>()
  const kept = uses.filter((use) => {
    const key = eventKey(use)
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count <= limits.valueNamesPerEvent) return true
    left.add(key)
    return false
  })
  for (const key of [...left].sort()) {
    const { appId, key: event } = uses.find((use) => eventKey(use) === key) as ValueName
    await raiseAlert(
      { ...ctx, tx, app: { id: appId, label: String(appId) } },
      {
        kind: 'too-many-value-names',
        subject: event,
        text: `The event "${event}" has more than ${limits.valueNamesPerEvent} names of values. Further ones are stored with each event, but segments do not know them. Names that hold ids or times belong into values.`,
        details: { event, limit: limits.valueNamesPerEvent },
      },
    )
  }
  return kept
}

/** One per name: the first draft that has it gives the kind. */
function firstUses(drafts: readonly EventDraft[]): ValueName[] {
  const uses: ValueName[] = []
  const seen: KindsByEvent = new Map()
  for (const { appId, key, data } of drafts) {
    for (const name in data) {
      const use = { appId, key, name, kind: kindOfValue(data[name]) as ValueKind }
      if (kindIn(seen, use) !== undefined) continue
      note(seen, [use])
      uses.push(use)
    }
  }
  return uses
}

function eventKey({ appId, key }: { appId: number; key: string }): string {
  return `${appId}/${key}`
}

function kindIn(kinds: KindsByEvent, use: ValueName): ValueKind | undefined {
  return kinds.get(eventKey(use))?.get(use.name)
}

function note(kinds: KindsByEvent, names: readonly ValueName[]): void {
  for (const use of names) {
    const event = kinds.get(eventKey(use))
    if (event) event.set(use.name, use.kind)
    else kinds.set(eventKey(use), new Map([[use.name, use.kind]]))
  }
}
