import { type ListedProvider, listProviders } from '#features/accounts/providers/list-providers.ts'
import type { Command } from '../command.ts'
import { formatMinute, formatTable, print, printJson } from '../print.ts'
import { withProviders } from './with-providers.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'the app whose providers are listed', isRequired: true },
    json: { summary: 'print JSON' },
  },
  notes: 'The secrets themselves are never shown.',
  examples: ['peyk provider list --app shop', 'peyk provider list --app shop --json'],

  async run(input) {
    const label = input.text('app') as string
    const providers = await withProviders(label, (ctx) => listProviders(ctx))
    if (input.isOn('json')) printJson(providers)
    else if (providers.length === 0) print(`The app ${label} has no credentials: peyk provider set --help says how.`)
    else print(formatTable(['PROVIDER', 'SET', 'STATE', 'WHAT'], providers.map(row)))
    return undefined
  },
}

function row({ provider, setAt, simulated, shown, paused, check }: ListedProvider): string[] {
  const state = paused ? `PAUSED since ${formatMinute(new Date(paused.at))}: ${paused.reason}` : describe(check)
  const what = Object.entries(shown).map(([name, value]) => `${name}=${value}`)
  return [provider, formatMinute(new Date(setAt)), state, [...(simulated ? ['simulated'] : []), ...what].join(' ')]
}

function describe(check: ListedProvider['check']): string {
  if (!check) return 'not checked'
  const at = formatMinute(new Date(check.at))
  return check.result === 'taken' ? `checked ${at}` : `check failed ${at}: ${check.finding.text}`
}
