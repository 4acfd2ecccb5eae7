import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { useToast } from '../parts/use-toast.ts'

/** Afterwards nothing of what was shown is left in the page. */
export function useSignOut() {
  const client = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: () => call('DELETE', '/session'),
    onSuccess: () => {
      client.clear()
      location.assign('/panel/')
    },
    onError: toast.failed,
  })
}
