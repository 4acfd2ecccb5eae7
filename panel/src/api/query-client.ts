import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFault, NoAnswer } from './call.ts'
import { isServerLost, subscribeToServer } from './server-state.ts'
import { sessionKey } from './session-key.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => error instanceof ApiFault && error.status === 503 && failures < 3,
    },
    mutations: { retry: false },
  },
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Signed out elsewhere, or the session has ended: the frame asks to sign in again, over what is there.
      if (error instanceof ApiFault && error.status === 401 && query.queryKey[0] !== sessionKey[0]) askForSession()
    },
  }),
})

export function askForSession(): void {
  void queryClient.invalidateQueries({ queryKey: sessionKey })
}

// What failed while the service was away is asked again when it is back.
subscribeToServer(() => {
  if (isServerLost()) return
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.error instanceof NoAnswer })
})
