import type { getTemplate, panelMessage, StoredDraft, Template } from '@peyk/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '#api/use-app.ts'
import { useAppQuery } from '#api/use-app-query.ts'
import { usePageSearch } from '#parts/hooks/use-page-search.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { withoutLanguage } from '../variants/draft-test.ts'
import { type Draft, type DraftContent, emptyDraft } from './draft.ts'
import {
  draftFromMessage,
  draftFromTemplate,
  findLost,
  type LostReceivers,
  type SentMessage,
} from './draft-from-message.ts'
import { keepDraft, readKeptDraft } from './keep-draft.ts'
import { copyDraft, fillDraft, isEmptyDraft, type OpenDraft, openStored } from './open-draft.ts'
import { useAutosave } from './use-autosave.ts'

/** What had to make room: a whole draft, or a part of it. */
export type Aside =
  | { what: 'draft'; open: OpenDraft }
  | { what: 'recipients' | 'content' | 'language'; changes: Partial<Draft> }

/**
 * The draft, kept in this browser while it is typed and on the server a moment later. The address may say whom it is for,
 * which message it repeats, or which template it begins with.
 */
export function useDraft() {
  const app = useApp()
  const { drafts: texts } = useTexts()
  const [open, setOpen] = useState<OpenDraft>(() => readKeptDraft(app) ?? fillDraft(emptyDraft))
  const [aside, setAside] = useState<Aside>()
  const [lost, setLost] = useState<LostReceivers>()
  const latest = useRef(open)
  latest.current = open
  const isSent = useRef(false)
  const { flush, ...saving } = useAutosave(open, setOpen, isSent)
  const flushNow = useRef(flush)
  flushNow.current = flush

  useEffect(() => {
    if (!isSent.current) keepDraft(app, open)
  }, [app, open])

  const change = useCallback(
    (changes: Partial<Draft>) => setOpen((old) => ({ ...old, draft: { ...old.draft, ...changes } })),
    [],
  )
  const show = useCallback((next: OpenDraft) => {
    setAside(undefined)
    setLost(undefined)
    setOpen(next)
  }, [])
  const address = useCallback((who: Draft['who']) => {
    const old = latest.current.draft.who
    if (!isSame(old, emptyDraft.who) && !isSame(old, who)) setAside({ what: 'recipients', changes: { who: old } })
    setOpen((now) => ({ ...now, draft: { ...now.draft, who } }))
  }, [])
  const replace = useCallback(
    (draft: Draft) => {
      const old = latest.current
      show(fillDraft(draft))
      if (isEmptyDraft(old.draft)) return
      void flushNow.current().catch(() => undefined)
      setAside({ what: 'draft', open: old })
    },
    [show],
  )
  const repeat = useCallback(
    (message: SentMessage) => {
      replace(draftFromMessage(message))
      setLost(findLost(message))
    },
    [replace],
  )
  const begin = useCallback(
    ({ message }: Template) => replace({ ...emptyDraft, ...draftFromTemplate(message) }),
    [replace],
  )
  const startAnew = useCallback(() => replace(emptyDraft), [replace])
  const origin = useAddress({ change, address, repeat, begin, startAnew })
  return {
    open,
    draft: open.draft,
    ...{ change, saving, flush },
    startNew: useCallback(() => show(fillDraft(emptyDraft)), [show]),
    showStored: useCallback((stored: StoredDraft) => show(openStored(stored)), [show]),
    /** Brings back one that was deleted. */
    restore: useCallback((deleted: OpenDraft) => show(copyDraft(deleted, (name) => name)), [show]),
    keepCopy: useCallback(() => setOpen((old) => copyDraft(old, (name) => texts.copyOf(name.slice(0, 85)))), [texts]),
    rename: useCallback((name: string) => setOpen((old) => ({ ...old, name })), []),
    /** Of this draft only what is said; who receives it stays. */
    applyTemplate: useCallback(
      ({ message }: Template) => {
        const old = contentOf(latest.current.draft)
        if (!isSame(old, contentOf(emptyDraft))) setAside({ what: 'content', changes: old })
        change(draftFromTemplate(message))
      },
      [change],
    ),
    removeLanguage: useCallback(
      (language: string) => {
        const { languages, test } = latest.current.draft
        setAside({ what: 'language', changes: { languages, test } })
        change({
          languages: Object.fromEntries(Object.entries(languages).filter(([tag]) => tag !== language)),
          test: withoutLanguage(test, language),
        })
      },
      [change],
    ),
    /** It was sent: it is kept no longer, and the page shows it until it is left. */
    dropKept: useCallback(() => {
      isSent.current = true
      keepDraft(app, undefined)
    }, [app]),
    aside,
    bringBack: useCallback(() => {
      if (aside?.what === 'draft') setOpen(aside.open)
      else if (aside) change(aside.changes)
      setAside(undefined)
      setLost(undefined)
    }, [aside, change]),
    /** Why a repeated message has no recipients here. */
    lost,
    /** The message that is repeated, or the template, while it is being asked for. */
    origin,
  }
}

function contentOf({
  who: _who,
  trackId: _trackId,
  channel: _channel,
  clientId: _clientId,
  test: _test,
  ...content
}: Draft): DraftContent {
  return content
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

interface Address {
  change(changes: Partial<Draft>): void
  address(who: Draft['who']): void
  repeat(message: SentMessage): void
  begin(template: Template): void
  startAnew(): void
}

/**
 * `?user=`, `?segment=`, `?channel=`, `?new=`, `?trackId=`, `?from=` and `?template=` are taken once and leave the
 * address.
 */
function useAddress({ change, address, repeat, begin, startAnew }: Address) {
  const [{ user, segment, channel, new: isNew, trackId, from, template }, setSearch] = usePageSearch()
  const message = useAppQuery<typeof panelMessage>(`/messages/${encodeURIComponent(from ?? '')}`, undefined, {
    enabled: from !== undefined,
    keepLast: false,
  })
  const saved = useAppQuery<typeof getTemplate>(`/templates/${encodeURIComponent(template ?? '')}`, undefined, {
    enabled: template !== undefined,
    keepLast: false,
  })
  useEffect(() => {
    const who = emptyDraft.who
    if (user !== undefined) address({ ...who, users: user })
    else if (segment !== undefined) address({ ...who, kind: 'segment', segment })
    else if (channel !== undefined) address({ ...who, kind: 'channel', channel })
    else return
    setSearch({ user: undefined, segment: undefined, channel: undefined })
  }, [user, segment, channel, address, setSearch])
  useEffect(() => {
    if (isNew === undefined && trackId === undefined) return
    if (isNew !== undefined) startAnew()
    if (trackId !== undefined) change({ trackId })
    setSearch({ new: undefined, trackId: undefined })
  }, [isNew, trackId, startAnew, change, setSearch])
  const { data } = message
  useEffect(() => {
    if (from === undefined || data === undefined) return
    repeat(data)
    setSearch({ from: undefined })
  }, [from, data, repeat, setSearch])
  const { data: found } = saved
  useEffect(() => {
    if (template === undefined || found === undefined) return
    begin(found)
    setSearch({ template: undefined })
  }, [template, found, begin, setSearch])
  return from !== undefined ? message : template !== undefined ? saved : undefined
}
