import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'ids do not rise within a millisecond',
  file: 'server/src/base/ids.ts',
  find: `  if (ms <= series.ms && series.counter < lastCounter) series.counter++
  else {
    series.ms = Math.max(ms, series.ms + 1)
`,
  replace: `  {
    series.ms = ms
`,
  tests: ['server/src/base/ids.test.ts'],
}
