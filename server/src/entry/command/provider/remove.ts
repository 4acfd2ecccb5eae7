import { removeProvider } from '#features/accounts/providers/remove-provider.ts'
import type { Command } from '../command.ts'
import { print } from '../print.ts'
import { providerArgument, readProvider } from './provider-word.ts'
import { withProviders } from './with-providers.ts'

export const command: Command = {
  arguments: [providerArgument],
  options: {
    app: { value: 'label', summary: 'the app whose credentials are removed', isRequired: true },
    force: { summary: 'webpush: required, because this ends every subscription for good' },
  },
  notes: 'Messages to its devices end as no-provider from then on. What was removed cannot be brought back.',
  examples: ['peyk provider remove sms --app shop', 'peyk provider remove webpush --app shop --force'],

  async run(input) {
    const provider = readProvider(input.words[0])
    const app = input.text('app') as string
    await withProviders(app, (ctx) => removeProvider(ctx, { provider, force: input.isOn('force') }))
    print(`Removed the credentials of the app ${app} for ${provider}.`)
    return undefined
  },
}
