import { type Verdict, verifyInvariants } from '#features/statistics/invariants/verify-invariants.ts'
import type { Command } from './command.ts'
import { print } from './print.ts'
import { withStore } from './with-store.ts'

export const command: Command = {
  options: {},
  notes: 'Reads everything once, changes nothing, and may run while the service runs. Exit code 1 if a check fails.',
  examples: ['peyk verify'],

  async run() {
    const verdicts = await withStore((store) =>
      verifyInvariants({ store }, { onVerdict: (verdict) => print(describeVerdict(verdict)) }),
    )
    const broken = verdicts.filter((verdict) => verdict.broken > 0).length
    print(broken === 0 ? `All ${verdicts.length} checks passed.` : `${broken} of ${verdicts.length} checks failed.`)
    return broken === 0 ? 0 : 1
  },
}

function describeVerdict({ name, rows, broken, example }: Verdict): string {
  if (broken === 0) return `ok      ${name} (${count(rows)})`
  return `BROKEN  ${name}: ${broken} of ${count(rows)}, such as ${example}`
}

function count(rows: number): string {
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`
}
