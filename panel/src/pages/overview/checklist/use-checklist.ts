import type { Checklist, panelChecklist } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useLive } from '#api/live.ts'
import { useApp } from '#api/use-app.ts'
import { appKey, useAppQuery } from '#api/use-app-query.ts'
import { keepProgress, readProgress } from './keep-progress.ts'

export function isFinished({ done }: Checklist): boolean {
  return Object.values(done).every(Boolean)
}

/** What of the first steps is done, told as it is done while something is left to do. */
export function useChecklist() {
  const { appId } = useApp()
  const client = useQueryClient()
  const answer = useAppQuery<typeof panelChecklist>('/checklist')
  const { data } = answer
  const isUnfinished = data !== undefined && !data.isDismissed && !isFinished(data)
  useLive(
    'checklist',
    (told) => {
      client.setQueryData(appKey(appId, '/checklist'), told)
      if (JSON.stringify(told.done) !== JSON.stringify(data?.done))
        void client.invalidateQueries({ queryKey: appKey(appId, '/overview') })
    },
    { enabled: isUnfinished },
  )

  // Only who has seen it unfinished is told that it is finished, and once.
  const [wasSeen, setWasSeen] = useState(() => readProgress(appId) !== undefined)
  useEffect(() => {
    if (!isUnfinished || wasSeen) return
    keepProgress(appId, 'seen')
    setWasSeen(true)
  }, [appId, isUnfinished, wasSeen])
  return {
    checklist: isUnfinished || (data !== undefined && !data.isDismissed && wasSeen) ? data : undefined,
    isKnown: !answer.isPending,
    close: useCallback(() => setWasSeen(false), []),
  }
}
