import type { getSending, resumeAllSending, Sending, stopAllSending } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

const lookEveryMs = 5_000
const path = '/sending'
const refreshes = ['/messages', '/overview']

/** Whether all sending of the app is stopped, and what is still to be sent. */
export function useAllSending() {
  return useAppQuery<typeof getSending>(path, undefined, { refetchInterval: lookEveryMs, keepLast: false })
}

export function useStopAndResume() {
  const { appId } = useApp()
  const client = useQueryClient()
  const onSuccess = (answer: Sending) => client.setQueryData(appKey(appId, path), answer)
  return {
    stop: useAppMutation<typeof stopAllSending>('POST', `${path}/stop`, { refreshes, onSuccess }),
    resume: useAppMutation<typeof resumeAllSending>('POST', `${path}/resume`, { refreshes, onSuccess }),
  }
}
