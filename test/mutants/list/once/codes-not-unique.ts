import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a promo code can be given twice',
  file: 'server/src/base/store/migrations/001-foundation.sql',
  find: `  primary key (app_id, code),
  unique (app_id, message_id, user_no)`,
  replace: '  unique (app_id, message_id, user_no)',
  tests: ['server/src/features/promo/take-codes.test.ts'],
}
