import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFault, NoAnswer } from './call.ts'
import { isServerLost, subscribeToServer } from './server-state.ts'
import { sessionKey } from './session-key.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => error instanceof ApiFault && error.status === 503 && failures < 3,
    },
    // Otherwise what is done without a line is kept, and done when the line is back, whatever was decided meanwhile.
    mutations: { networkMode: 'always', retry: false },
  },
  queryCache: new QueryCache({ onError: askForSession }),
  mutationCache: new MutationCache({ onError: askForSession }),
})

/** Signed out elsewhere, or the session has ended: the frame asks to sign in again, over what is there. */
export function askForSession(error: unknown): void {
  if (error instanceof ApiFault && error.status === 401) void queryClient.invalidateQueries({ queryKey: sessionKey })
}

// What failed while the service was away is asked again when it is back.
subscribeToServer(() => {
  if (isServerLost()) return
  void queryClient.invalidateQueries({ predicate: ({ state }) => state.error instanceof NoAnswer })
})
