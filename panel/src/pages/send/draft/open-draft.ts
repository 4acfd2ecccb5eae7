import type { StoredDraft } from '@peyk/contract'
import { completeTest } from '../variants/draft-test.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { randomId } from './random-id.ts'

/** Rises when a form could not be read as an earlier one any more. */
export const formVersion = 1

/** The draft on the page, and which one on the server it is. */
export interface OpenDraft {
  draft: Draft
  id: string
  /** Of the one on the server as it was last read or saved; 0 while there is none. */
  version: number
  /** What somebody called it; otherwise it is named by its text. */
  name?: string | undefined
  savedAt?: number | undefined
  /** What needs no saving: as it is on the server, or as it was filled in. */
  clean: string
}

/** Nothing is saved before it is changed. */
export function fillDraft(draft: Draft): OpenDraft {
  const open = { draft, id: randomId(), version: 0, clean: '' }
  return { ...open, clean: contentsOf(open) }
}

export function openStored({ id, version, name, isNamed, updatedAt, form }: StoredDraft): OpenDraft {
  const draft = completeDraft(form as Partial<Draft>)
  const open = { draft, id, version, name: isNamed ? name : undefined, savedAt: updatedAt, clean: '' }
  return { ...open, clean: contentsOf(open) }
}

/** The same as another draft, which is not on the server yet. */
export function copyDraft({ draft, name }: OpenDraft, called: (name: string) => string): OpenDraft {
  return { draft, id: randomId(), version: 0, name: name === undefined ? undefined : called(name), clean: '' }
}

export function contentsOf({ draft, name }: Pick<OpenDraft, 'draft' | 'name'>): string {
  return JSON.stringify([name ?? null, draft])
}

export function isUnsaved(open: OpenDraft): boolean {
  return contentsOf(open) !== open.clean
}

export function isEmptyDraft(draft: Draft): boolean {
  return JSON.stringify(draft) === JSON.stringify(emptyDraft)
}

/** A draft of an earlier version of the panel may lack fields. */
export function completeDraft(kept: Partial<Draft>): Draft {
  return {
    ...emptyDraft,
    ...kept,
    who: { ...emptyDraft.who, ...kept.who },
    when: { ...emptyDraft.when, ...kept.when },
    repeat: { ...emptyDraft.repeat, ...kept.repeat },
    flags: { ...emptyDraft.flags, ...kept.flags },
    notification: { ...emptyDraft.notification, ...kept.notification },
    fallback: { ...emptyDraft.fallback, ...kept.fallback },
    test: completeTest(kept.test),
  }
}
