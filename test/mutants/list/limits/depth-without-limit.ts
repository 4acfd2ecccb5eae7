import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'JSON can be nested as deep as it likes',
  file: 'server/src/entry/http/read/check-text.ts',
  find: 'if (depth > limits.jsonDepth)',
  replace: 'if (depth > limits.jsonDepth * 1_000)',
  tests: ['test/spec/7-errors-and-8-limits.test.ts', 'test/faults/broken-http.test.ts'],
}
