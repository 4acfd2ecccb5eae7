import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'access tokens in odd places are logged',
  file: 'server/src/entry/http/answer/redact-tokens.ts',
  find: '.replace(anyToken, stand)',
  replace: '',
  tests: ['server/src/entry/http/answer/redact-tokens.test.ts'],
}
