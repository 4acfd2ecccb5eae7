import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a user can have any number of attributes',
  file: 'server/src/features/installations/attributes/attribute-size.ts',
  find: 'if (after.count > count && after.count > before.count)',
  replace: 'if (after.count > count * 1_000)',
  tests: ['server/src/features/installations/attributes/attribute-limits.test.ts'],
}
