import type { Mutant } from '../../mutant.ts'

export const mutant: Mutant = {
  name: 'a restored service sends at once what waited in the backup',
  file: 'server/src/entry/worker/worker.ts',
  find: `      if (gate) gate.whenOpen(startSending)
      else startSending()
`,
  replace: `      startSending()
`,
  tests: ['server/src/entry/worker/hold-after-restore.test.ts'],
}
