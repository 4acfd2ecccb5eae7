import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an imported device that opted out keeps its push token',
  file: 'server/src/features/transfer/import/read-device.ts',
  find: '  if (optsOut) delete value.deviceToken\n',
  replace: '',
  tests: ['server/src/features/transfer/import/import-devices.test.ts'],
}
