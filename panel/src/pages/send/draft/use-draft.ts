import type { panelMessage } from '@peyk/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../../../api/use-app.ts'
import { useAppQuery } from '../../../api/use-app-query.ts'
import { usePageSearch } from '../../../parts/hooks/use-page-search.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { draftFromMessage, findLost, type LostReceivers, type SentMessage } from './draft-from-message.ts'
import { isEmptyDraft, keepDraft, readKeptDraft } from './keep-draft.ts'

/** The draft, kept in this browser while it is typed. The address may say whom it is for, or which message it repeats. */
export function useDraft() {
  const app = useApp()
  const [draft, setDraft] = useState<Draft>(() => readKeptDraft(app) ?? emptyDraft)
  const [aside, setAside] = useState<Partial<Draft>>()
  const [lost, setLost] = useState<LostReceivers>()
  const latest = useRef(draft)
  latest.current = draft

  useEffect(() => keepDraft(app, draft), [app, draft])

  const change = useCallback((changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes })), [])
  const address = useCallback((who: Draft['who']) => {
    const old = latest.current.who
    if (!isSame(old, emptyDraft.who) && !isSame(old, who)) setAside({ who: old })
    setDraft((draft) => ({ ...draft, who }))
  }, [])
  const repeat = useCallback((message: SentMessage) => {
    if (!isEmptyDraft(latest.current)) setAside(latest.current)
    setDraft(draftFromMessage(message))
    setLost(findLost(message))
  }, [])
  const origin = useAddress({ change, address, repeat })
  return {
    draft,
    change,
    clear: useCallback(() => {
      setAside(undefined)
      setLost(undefined)
      setDraft(emptyDraft)
    }, []),
    /** It was sent: the browser keeps it no longer, and the page shows it until it is left. */
    dropKept: useCallback(() => keepDraft(app, undefined), [app]),
    /** A draft that had to make room for a repeated message, or the recipients of one. */
    aside,
    bringBack: useCallback(() => {
      setDraft((old) => ({ ...old, ...aside }))
      setAside(undefined)
      setLost(undefined)
    }, [aside]),
    /** Why a repeated message has no recipients here. */
    lost,
    /** The message that is repeated, while it is being asked for. */
    origin,
  }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

interface Address {
  change(changes: Partial<Draft>): void
  address(who: Draft['who']): void
  repeat(message: SentMessage): void
}

/** `?user=`, `?segment=`, `?channel=`, `?trackId=` and `?from=` are taken once and leave the address. */
function useAddress({ change, address, repeat }: Address) {
  const [{ user, segment, channel, trackId, from }, setSearch] = usePageSearch()
  const message = useAppQuery<typeof panelMessage>(`/messages/${encodeURIComponent(from ?? '')}`, undefined, {
    enabled: from !== undefined,
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
    if (trackId === undefined) return
    change({ trackId })
    setSearch({ trackId: undefined })
  }, [trackId, change, setSearch])
  const { data } = message
  useEffect(() => {
    if (from === undefined || data === undefined) return
    repeat(data)
    setSearch({ from: undefined })
  }, [from, data, repeat, setSearch])
  return from === undefined ? undefined : message
}
