import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a message is stored at once although a user was deleted since it came',
  file: 'server/src/features/messages/accept/insert-personal-messages.ts',
  find: '        select not exists (select from forgotten_users where forgotten_at >=',
  replace: '        select true or not exists (select from forgotten_users where forgotten_at >=',
  tests: ['server/src/features/messages/accept/store-named.test.ts'],
}
