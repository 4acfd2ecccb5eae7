import type { Store, Transaction } from '../../base/store/store.ts'
import type { ValueKind } from '../installations/value-kind.ts'
import type { EventDraft } from './event-draft.ts'
import { kindOfValue } from './event-values.ts'
import { judgeKinds } from './judge-kinds.ts'
import { knownKinds } from './known-kinds.ts'
import { findValueNames, insertValueNames, type ValueName } from './value-names-store.ts'

type KindsByEvent = Map<string, Map<string, ValueKind>>

/** Finds out, or makes, the kinds of values which are new to this process, and judges the drafts by them. */
export async function settleKinds(store: Store, tx: Transaction, drafts: readonly EventDraft[]): Promise<void> {
  const uses = firstUses(drafts)
  const kinds: KindsByEvent = new Map()
  const found = await findValueNames(tx, uses)
  note(kinds, found)
  const cache = knownKinds(store)
  for (const { appId, key, name, kind, isCommitted } of found) if (isCommitted) cache.add(appId, key, name, kind)
  const news = uses.filter((use) => kindIn(kinds, use) === undefined)
  if (news.length > 0) {
    const made = await insertValueNames(tx, news)
    note(kinds, made)
    // Another process was first with those that are still missing.
    if (made.length < news.length) note(kinds, await findValueNames(tx, news))
  }
  for (const draft of drafts) judgeKinds(draft, kinds.get(eventKey(draft)) ?? new Map())
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
