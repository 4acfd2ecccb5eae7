import { createToken } from '#features/accounts/access-tokens/create-token.ts'
import type { Command } from '../command.ts'
import { formatMinute, print, printJson } from '../print.ts'
import { withApp } from '../with-app.ts'
import { readExpiry } from './read-expiry.ts'

export const command: Command = {
  options: {
    app: { value: 'label', summary: 'the app it belongs to', isRequired: true },
    name: { value: 'name', summary: 'what it is for, as shown in the list', isRequired: true },
    scope: { value: 'scopes', summary: 'what it may do, see below', isRequired: true, isRepeatable: true },
    origin: {
      value: 'origin',
      summary: 'a web origin that may use it (scope client only); repeat it for several',
      isRepeatable: true,
    },
    expires: { value: 'when', summary: '12h, 90d, 4w or 1y from now, or a date (default: never)' },
    json: { summary: 'print JSON' },
  },
  notes: `Scopes:
  server  everything a backend may do
  push, tags, events, promo
          parts of it, separated by commas
  read    read everything, change nothing
  client  what the client library calls; it is public, because it ships in the app or page`,
  examples: [
    'peyk token create --app demo --name backend --scope server',
    'peyk token create --app demo --name "order mails" --scope push,tags --expires 90d',
    'peyk token create --app demo --name website --scope client --origin https://shop.example',
  ],

  async run(input) {
    const expires = input.text('expires')
    const created = await withApp(input.text('app') as string, (ctx) =>
      createToken(ctx, {
        name: input.text('name') as string,
        scopes: input
          .texts('scope')
          .flatMap((text) => text.split(','))
          .map((text) => text.trim())
          .filter(Boolean),
        origins: input.texts('origin'),
        expiresAt: expires === undefined ? undefined : readExpiry(expires, ctx.now()),
      }),
    )
    if (input.isOn('json')) {
      const { id, name, scopes, origins = null, expiresAt = null, token } = created
      printJson({ id, name, scopes, origins, expiresAt, token })
      return undefined
    }
    print(`Created the token "${created.name}" (${created.scopes.join(', ')}), ${created.expiresAt ? `valid until ${formatMinute(created.expiresAt)}` : 'which does not expire'}.

  token  ${created.token}
  id     ${created.id}

The token is shown only once: just its hash is stored.`)
    return undefined
  },
}
