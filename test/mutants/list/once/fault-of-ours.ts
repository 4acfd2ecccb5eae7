import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a body that is not JSON is taken for a fault of the service',
  file: 'server/src/entry/http/read/read-body.ts',
  find: "throw new RequestError('invalid-json', `The body is not JSON: ${jsonProblem(error)}`)",
  replace: 'throw new Error(`The body is not JSON: ${jsonProblem(error)}`)',
  tests: ['test/spec/7-errors-and-8-limits.test.ts'],
}
