import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'an app keeps images of any number of bytes',
  file: 'server/src/features/images/store-image.ts',
  find: 'bytes + added <= limits.imageBytesPerApp',
  replace: 'bytes <= limits.imageBytesPerApp * 1_000',
  tests: ['server/src/features/images/images.test.ts'],
}
