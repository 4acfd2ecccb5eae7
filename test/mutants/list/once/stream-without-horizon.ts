import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'the stream passes what is still being written',
  file: 'server/src/base/store/read-horizon.ts',
  find: 'least(now(), min(a.xact_start))',
  replace: 'coalesce(now(), min(a.xact_start))',
  tests: ['server/src/features/transfer/stream/open-stream.test.ts'],
}
