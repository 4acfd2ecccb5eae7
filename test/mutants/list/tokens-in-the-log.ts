import type { Mutant } from '../mutant.ts'

export const mutant: Mutant = {
  name: 'access tokens in odd places are logged',
  file: 'server/src/entry/http/redact-tokens.ts',
  find: '.replace(anyToken, stand)',
  replace: '',
  tests: ['server/src/entry/http/redact-tokens.test.ts'],
}
