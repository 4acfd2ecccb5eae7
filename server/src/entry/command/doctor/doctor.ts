import { inspectConfig } from '#base/config.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../print.ts'
import { examine } from './examine.ts'
import { formatReport, summarise } from './format-report.ts'

export const command: Command = {
  options: { json: { summary: 'print JSON' } },
  notes: `Looks at the settings, the disk, the service, NATS and the collector of traces if it has them, the database, the
clock, the secret key, the credentials of providers, webhooks, what keeps messages back, and the backups; says what is
wrong and what to do. It changes nothing, calls no provider and prints no secret. Run it with the settings of the
service, as its user, while it runs or when it is stopped: the embedded database is then started for the look, and
stopped again.

Exit code 1 if there is a fault; warnings alone leave it at 0.`,
  examples: ['peyk doctor', 'peyk doctor --json'],

  async run(input) {
    const findings = await examine(inspectConfig(), () => new Date())
    const hasFault = findings.some(({ state }) => state === 'fault')
    if (input.isOn('json')) printJson({ ok: !hasFault, counts: summarise(findings), findings })
    else print(formatReport(findings))
    return hasFault ? 1 : 0
  },
}
