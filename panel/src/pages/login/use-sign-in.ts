import type { BodyOf, panelSignIn, panelSignInByLink, Session } from '@peyk/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { sessionKey } from '../../api/session-key.ts'

type SignIn = typeof panelSignIn | typeof panelSignInByLink

/** Signs in with an address and a password, or with the key of a link. */
export function useSignIn(onSuccess?: (session: Session) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (proof: BodyOf<SignIn>) =>
      call<SignIn>('POST', 'key' in proof ? '/session/link' : '/session', { body: proof }),
    onSuccess: async (session) => {
      await client.invalidateQueries({ queryKey: sessionKey })
      void client.invalidateQueries()
      onSuccess?.(session)
    },
  })
}
