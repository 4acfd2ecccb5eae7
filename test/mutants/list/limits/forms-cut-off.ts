import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a form is read with any number of parameters',
  file: 'server/src/entry/http/read/forms/parse-form.ts',
  find: 'checkFormSize(++count, limits.formParameters, ',
  replace: 'checkFormSize(++count, Number.POSITIVE_INFINITY, ',
  tests: ['server/src/entry/http/read/forms/parse-form.test.ts'],
}
