import { type ListedToken, listTokens } from '#features/accounts/access-tokens/list-tokens.ts'
import type { Command } from '../command.ts'
import { formatMinute, formatTable, print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'the app whose tokens are listed', isRequired: true },
    json: { summary: 'print JSON' },
  },
  notes: 'The tokens themselves are not stored and cannot be shown again. Revoked ones are left out.',
  examples: ['peyk token list --app demo', 'peyk token list --app demo --json'],

  async run(input) {
    const label = input.text('app') as string
    const { tokens, now } = await withApp(label, async (ctx) => ({ tokens: await listTokens(ctx), now: ctx.now() }))
    if (input.isOn('json')) {
      printJson(
        tokens.map(({ origins = null, lastUsedOn = null, expiresAt = null, ...token }) => ({
          ...token,
          origins,
          lastUsedOn,
          expiresAt,
        })),
      )
    } else if (tokens.length === 0)
      print(`The app ${label} has no tokens: create one with peyk token create --app ${label}.`)
    else
      print(
        formatTable(
          ['ID', 'NAME', 'SCOPE', 'CREATED', 'LAST USED', 'EXPIRES'],
          tokens.map((token) => row(token, now)),
        ),
      )
    return undefined
  },
}

function row(token: ListedToken, now: Date): string[] {
  const expires = token.expiresAt
    ? `${formatMinute(token.expiresAt)}${token.expiresAt <= now ? ' (expired)' : ''}`
    : 'never'
  return [
    token.id,
    token.name,
    token.scopes.join(','),
    formatMinute(token.createdAt),
    token.lastUsedOn ?? 'never',
    expires,
  ]
}
