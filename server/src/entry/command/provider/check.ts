import { checkProvider } from '#features/deliveries/provider-setup/check-provider.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../print.ts'
import { formatFindings } from './format-findings.ts'
import { providerArgument, readProvider } from './provider-word.ts'
import { withProviders } from './with-providers.ts'

export const command: Command = {
  arguments: [providerArgument],
  options: {
    app: { value: 'label', summary: 'the app whose credentials are checked', isRequired: true },
    json: { summary: 'print JSON' },
  },
  notes:
    'Asks the provider whether it accepts the stored credentials. Nothing is sent to a device. Exit code 1 if it does not.',
  examples: ['peyk provider check apns --app shop'],

  async run(input) {
    const provider = readProvider(input.words[0])
    const checked = await withProviders(input.text('app') as string, (ctx) => checkProvider(ctx, { provider }))
    if (input.isOn('json')) printJson(checked)
    else print(formatFindings(checked.findings))
    return checked.ok ? 0 : 1
  },
}
