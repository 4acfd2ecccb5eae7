import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useAppQuery } from '../../api/use-app-query.ts'
import { usePageSearch } from '../../parts/use-page-search.ts'
import { type Draft, emptyDraft } from './draft.ts'
import { draftFromMessage, type SentMessage } from './draft-from-message.ts'
import { isEmptyDraft, keepDraft, readKeptDraft } from './keep-draft.ts'

/** The draft, kept in this browser while it is typed. The address may say whom it is for, or which message it repeats. */
export function useDraft() {
  const app = useApp()
  const [draft, setDraft] = useState<Draft>(() => readKeptDraft(app) ?? emptyDraft)
  const [aside, setAside] = useState<Draft>()
  const latest = useRef(draft)
  latest.current = draft

  useEffect(() => keepDraft(app, draft), [app, draft])

  const change = useCallback((changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes })), [])
  const replace = useCallback((next: Draft) => {
    if (!isEmptyDraft(latest.current)) setAside(latest.current)
    setDraft(next)
  }, [])
  const origin = useAddress(change, replace)
  return {
    draft,
    change,
    clear: useCallback(() => {
      setAside(undefined)
      setDraft(emptyDraft)
    }, []),
    /** A draft that had to make room for a repeated message. */
    aside,
    bringBack: useCallback(() => {
      setDraft((old) => aside ?? old)
      setAside(undefined)
    }, [aside]),
    /** The message that is repeated, while it is being asked for. */
    origin,
  }
}

/** `?user=`, `?segment=`, `?channel=`, `?trackId=` and `?from=` are taken once and leave the address. */
function useAddress(change: (changes: Partial<Draft>) => void, replace: (draft: Draft) => void) {
  const [{ user, segment, channel, trackId, from }, setSearch] = usePageSearch()
  const message = useAppQuery<SentMessage>(`/messages/${encodeURIComponent(from ?? '')}`, undefined, {
    enabled: from !== undefined,
    keepLast: false,
  })
  useEffect(() => {
    const who = emptyDraft.who
    if (user !== undefined) change({ who: { ...who, users: user } })
    else if (segment !== undefined) change({ who: { ...who, kind: 'segment', segment } })
    else if (channel !== undefined) change({ who: { ...who, kind: 'channel', channel } })
    else return
    setSearch({ user: undefined, segment: undefined, channel: undefined })
  }, [user, segment, channel, change, setSearch])
  useEffect(() => {
    if (trackId === undefined) return
    change({ trackId })
    setSearch({ trackId: undefined })
  }, [trackId, change, setSearch])
  const { data } = message
  useEffect(() => {
    if (from === undefined || data === undefined) return
    replace(draftFromMessage(data))
    setSearch({ from: undefined })
  }, [from, data, replace, setSearch])
  return from === undefined ? undefined : message
}
