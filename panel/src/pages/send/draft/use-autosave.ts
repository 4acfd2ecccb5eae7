import type { panelDraft, panelSaveDraft } from '@peyk/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Dispatch, type RefObject, type SetStateAction, useCallback, useEffect, useRef, useState } from 'react'
import { ApiFault, appPath, call } from '#api/call.ts'
import { useApp } from '#api/use-app.ts'
import { appKey } from '#api/use-app-query.ts'
import { useTexts } from '#texts/LanguageProvider.tsx'
import { nameDraft } from './name-draft.ts'
import { contentsOf, formVersion, isUnsaved, type OpenDraft, openStored } from './open-draft.ts'
import { randomId } from './random-id.ts'

const typingMs = 1000
const retryMs = 5000

/** This window: what it saved last it may save again, also when the page was left meanwhile. */
const editorId = randomId()
/** The save of a page that was left. What is saved after it comes after it. */
let leaving: Promise<unknown> = Promise.resolve()

/** Why the draft cannot be saved: somebody else has saved it, or it is gone. */
export type Clash = { what: 'changed'; by: string; at: number } | { what: 'gone' }

interface Failure {
  contents: string
  error: unknown
}

/** Saves the draft on the server a moment after typing stops, and again while the server is away. */
export function useAutosave(open: OpenDraft, setOpen: Dispatch<SetStateAction<OpenDraft>>, isSent: RefObject<boolean>) {
  const { appId } = useApp()
  const { drafts: texts } = useTexts()
  const client = useQueryClient()
  const [clash, setClash] = useState<{ id: string; version: number; found: Clash }>()
  const [failure, setFailure] = useState<Failure>()
  const latest = useRef(open)
  latest.current = open

  const put = useCallback(
    async ({ id, version, name, draft }: OpenDraft) => {
      await leaving
      const called = name ?? (nameDraft(draft) || texts.untitled)
      const form = draft as unknown as Record<string, unknown>
      return call<typeof panelSaveDraft>('PUT', appPath(appId, `/drafts/${id}`), {
        body: {
          ...{ version, name: called, isNamed: name !== undefined, formVersion, form },
          editorId,
        },
      })
    },
    [appId, texts],
  )
  const saving = useMutation({
    mutationFn: put,
    onSuccess: ({ version, updatedAt }, saved) => {
      setFailure(undefined)
      setOpen((now) => (now.id === saved.id ? { ...now, version, savedAt: updatedAt, clean: contentsOf(saved) } : now))
      void client.invalidateQueries({ queryKey: appKey(appId, '/drafts') })
    },
    onError: (error, saved) => {
      const found = findClash(error)
      if (found) setClash({ id: saved.id, version: saved.version, found })
      else setFailure({ contents: contentsOf(saved), error })
    },
  })
  const { mutate, mutateAsync, isPending } = saving

  const contents = contentsOf(open)
  const isDirty = contents !== open.clean
  // Once the other version is loaded, or another draft, it is over.
  const ownClash = clash?.id === open.id && clash.version === open.version ? clash.found : undefined
  const refusal = failure?.contents === contents && isRefusal(failure.error) ? failure.error : undefined
  const isHeld = isPending || ownClash !== undefined || refusal !== undefined
  useEffect(() => {
    if (!isDirty || isHeld) return
    const timer = setTimeout(() => mutate(open), failure ? retryMs : typingMs)
    return () => clearTimeout(timer)
  }, [open, isDirty, isHeld, failure, mutate])

  // Whoever leaves the page before it is saved has saved it.
  useEffect(
    () => () => {
      if (isUnsaved(latest.current) && !isSent.current) leaving = put(latest.current).catch(() => undefined)
    },
    [put, isSent],
  )

  // It may have been changed elsewhere since it was kept here. What was not touched here gives way.
  useEffect(() => {
    const { id, version } = latest.current
    if (version === 0) return
    call<typeof panelDraft>('GET', appPath(appId, `/drafts/${id}`)).then(
      (stored) =>
        setOpen((now) => {
          const isOld = now.id === id && now.version === version && stored.version > version
          return isOld && !isUnsaved(now) && stored.formVersion <= formVersion ? openStored(stored) : now
        }),
      (error) => {
        const found = findClash(error)
        if (found) setClash({ id, version, found })
      },
    )
  }, [appId, setOpen])

  return {
    clash: ownClash,
    isDirty,
    isAway: isDirty && failure !== undefined,
    refusal,
    /** Before another takes its place. Throws when it could not be saved, and would be lost. */
    flush: async () => {
      if (isUnsaved(latest.current)) await mutateAsync(latest.current)
    },
  }
}

function findClash(error: unknown): Clash | undefined {
  if (!(error instanceof ApiFault)) return undefined
  if (error.status === 404) return { what: 'gone' }
  if (error.code !== 'changed-meanwhile') return undefined
  return { what: 'changed', by: String(error.details?.updatedBy), at: Number(error.details?.updatedAt) }
}

/** It would be refused again: too large, or too many. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ApiFault && error.status >= 400 && error.status < 500 && ![401, 408, 429].includes(error.status)
  )
}
