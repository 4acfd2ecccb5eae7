import type {
  BodyOf,
  cancelMessage,
  clearAlert,
  panelOverview,
  pauseMessage,
  resumeMessage,
  settleHeldUninstalls,
} from '@peyk/contract'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'
import { useRefetchOnNews } from '../../api/use-refetch-on-news.ts'
import type { PeriodDays } from '../../parts/fields/PeriodPicker.tsx'

const MINUTE = 60_000

/** The overview, refetched while messages to groups are being sent. All its numbers come from one snapshot. */
export function useOverview(days: PeriodDays) {
  const overview = useAppQuery<typeof panelOverview>('/overview', { days }, { refetchInterval: MINUTE })
  useRefetchOnNews('messages', (lines) => lines.some(({ audience }) => audience !== 'users'), overview.refetch)
  return overview
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
    { refreshes: ['/overview', '/uninstalls'], bodyOf: ({ decision }) => ({ decision }) },
  )
}

export function useClearAlert() {
  return useAppMutation<typeof clearAlert, { id: string }>('DELETE', ({ id }) => `/alerts/${id}`, {
    refreshes: ['/overview'],
  })
}
