import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a message with a local time is in an inbox after its end for that user',
  file: 'server/src/features/deliveries/inbox/inbox-store.ts',
  find: `else coalesce(w.own_end, m.expires_at) > peyk_now()`,
  replace: `else m.expires_at > peyk_now()`,
  tests: ['server/src/features/deliveries/local-time/own-ends.test.ts'],
}
