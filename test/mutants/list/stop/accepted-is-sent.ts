import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'what is accepted while all sending is stopped goes out at once',
  file: 'server/src/features/messages/accept/insert-personal-messages.ts',
  find: 'has_room and app_id <> all (${stoppedApps}) as is_leased',
  replace: 'has_room as is_leased',
  tests: ['server/src/features/deliveries/control/stop-all-sending.test.ts'],
}
