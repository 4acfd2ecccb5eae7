import { resumeProvider } from '#features/deliveries/provider-setup/resume-provider.ts'
import type { Command } from '../command.ts'
import { print } from '../print.ts'
import { providerArgument, readProvider } from './provider-word.ts'
import { withProviders } from './with-providers.ts'

export const command: Command = {
  arguments: [providerArgument],
  options: { app: { value: 'label', summary: 'the app whose provider is resumed', isRequired: true } },
  notes:
    'For when the cause is fixed without new credentials. Waiting messages are sent; it pauses again if nothing changed.',
  examples: ['peyk provider resume fcm --app shop'],

  async run(input) {
    const provider = readProvider(input.words[0])
    const { wasPaused } = await withProviders(input.text('app') as string, (ctx) => resumeProvider(ctx, { provider }))
    print(wasPaused ? `${provider} resumed.` : `${provider} was not paused.`)
    return undefined
  },
}
