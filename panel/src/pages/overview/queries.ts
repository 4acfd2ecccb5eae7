import type {
  BodyOf,
  cancelMessage,
  clearAlert,
  MessageLine,
  panelOverview,
  pauseMessage,
  resumeMessage,
  settleHeldUninstalls,
} from '@peyk/contract'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import type { PeriodDays } from '../../parts/fields/PeriodPicker.tsx'

const MINUTE = 60_000

export function useOverview(days: PeriodDays) {
  return useAppQuery<typeof panelOverview>('/overview', { days }, { refetchInterval: MINUTE })
}

/** Messages to groups that are under way: those that were when the page was asked for, and as the live stream tells. */
export function useSending(first: readonly MessageLine[]): MessageLine[] {
  const [told, setTold] = useState<ReadonlyMap<string, MessageLine>>(new Map())
  useLive('messages', (lines) => {
    setTold((known) => {
      const next = new Map(known)
      for (const line of lines) if (line.audience !== 'users') next.set(line.id, line)
      return next
    })
  })
  const all = new Map(first.map((line) => [line.id, line]))
  for (const [id, line] of told) all.set(id, line)
  return [...all.values()]
    .filter(({ progress, cancelledAt }) => progress.waiting > 0 && cancelledAt === undefined)
    .sort((a, b) => b.createdAt - a.createdAt)
}

export function useOperateMessage() {
  const options = { refreshes: ['/overview', '/messages'] }
  const pause = useAppMutation<typeof pauseMessage, { id: string }>(
    'POST',
    ({ id }) => `/messages/${id}/pause`,
    options,
  )
  const resume = useAppMutation<typeof resumeMessage, { id: string }>(
    'POST',
    ({ id }) => `/messages/${id}/resume`,
    options,
  )
  const cancel = useAppMutation<typeof cancelMessage, { id: string }>('DELETE', ({ id }) => `/messages/${id}`, options)
  return { pause, resume, cancel }
}

export function useSettleHeld() {
  return useAppMutation<typeof settleHeldUninstalls, { provider: string } & BodyOf<typeof settleHeldUninstalls>>(
    'POST',
    ({ provider }) => `/uninstalls/held/${encodeURIComponent(provider)}`,
    { refreshes: ['/overview', '/uninstalls'] },
  )
}

export function useClearAlert() {
  return useAppMutation<typeof clearAlert, { id: string }>('DELETE', ({ id }) => `/alerts/${id}`, {
    refreshes: ['/overview'],
  })
}
