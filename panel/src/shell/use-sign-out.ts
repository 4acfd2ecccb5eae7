import type { panelSignOut } from '@peyk/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { forgetDrafts } from '../pages/send/draft/keep-draft.ts'
import { useToast } from '../parts/hooks/use-toast.ts'

/** Afterwards nothing of what was shown or typed is left in the browser. */
export function useSignOut() {
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call<typeof panelSignOut>('DELETE', '/session'),
    onSuccess: () => {
      client.clear()
      forgetDrafts()
      sessionStorage.clear()
      location.assign('/panel/')
    },
    onError: toast.failed,
  })
}
