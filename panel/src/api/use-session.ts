import type { panelSession } from '@peyk/contract'
import { useQuery } from '@tanstack/react-query'
import { ApiFault, call } from './call.ts'
import { sessionKey } from './session-key.ts'

/** Who is signed in; null when nobody is. */
export function useSession() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) =>
      call<typeof panelSession>('GET', '/session', { signal }).catch((error) => {
        if (error instanceof ApiFault && error.status === 401) return null
        throw error
      }),
    staleTime: 60_000,
  })
}
