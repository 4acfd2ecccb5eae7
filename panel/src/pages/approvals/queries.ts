import type { Approval, panelApproval, panelApprovals, panelApprove, panelDecline } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

const pathOf = (id: string) => `/approvals/${encodeURIComponent(id)}`
const everyMs = 10_000

export function useApprovals(): Approval[] {
  return useAppQuery<typeof panelApprovals>('/approvals', undefined, { refetchInterval: everyMs }).data?.data ?? []
}

export function useApproval(id: string) {
  return useAppQuery<typeof panelApproval>(pathOf(id), undefined, { keepLast: false, refetchInterval: everyMs })
}

export function useDecide(id: string) {
  const { appId } = useApp()
  const client = useQueryClient()
  const refreshes = ['/approvals', '/messages', '/scheduled', '/series', '/overview']
  return {
    refresh: () => void client.invalidateQueries({ queryKey: appKey(appId, pathOf(id)) }),
    approve: useAppMutation<typeof panelApprove>('POST', `${pathOf(id)}/approve`, { refreshes }),
    decline: useAppMutation<typeof panelDecline>('POST', `${pathOf(id)}/decline`, { refreshes }),
  }
}
