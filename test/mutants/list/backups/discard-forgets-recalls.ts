import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'discarding what waited after a restore forgets recalls',
  file: 'server/src/features/deliveries/inbox/remove-from-inboxes.ts',
  find: `          and not exists (select from recalls r where r.app_id = q.app_id and r.message_id = q.message_id)
`,
  replace: '',
  tests: ['server/src/features/backups/resume-sending.test.ts'],
}
