import { revokeToken } from '#features/accounts/access-tokens/revoke-token.ts'
import type { Command } from '../command.ts'
import { print } from '../print.ts'
import { withApp } from '../with-app.ts'

export const command: Command = {
  arguments: [{ name: 'id', summary: "the token's id, as peyk token list shows it" }],
  options: { app: { value: 'label', summary: 'the app it belongs to', isRequired: true } },
  notes: 'Takes effect within a second, and cannot be undone.',
  examples: ['peyk token revoke 3f0c6d0e-8f5e-4b8c-9a55-0d3b1c2e4f60 --app demo'],

  async run(input) {
    const { name } = await withApp(input.text('app') as string, (ctx) =>
      revokeToken(ctx, { id: input.words[0] as string }),
    )
    print(`Revoked the token "${name}".`)
    return undefined
  },
}
