import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a user can have any number of tags',
  file: 'server/src/features/installations/tags/write-tags.ts',
  find: 'if (after.size > limits.tagsPerUser && after.size > tags.size) refused.add(write)',
  replace: 'if (after.size > limits.tagsPerUser * 1_000) refused.add(write)',
  tests: [
    'server/src/features/installations/tags/write-tags.test.ts',
    'server/src/features/installations/crowd-limits.test.ts',
  ],
}
