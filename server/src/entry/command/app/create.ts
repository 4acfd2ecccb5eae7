import { createApp } from '#features/accounts/apps/create-app.ts'
import type { Command } from '../command.ts'
import { print, printJson } from '../print.ts'
import { withStore } from '../with-store.ts'

export const command: Command = {
  arguments: [{ name: 'label', summary: "the app's id: lower-case letters, digits and hyphens, as in a host name" }],
  options: {
    name: {
      value: 'name',
      summary: 'its name, and the title of notifications that have none (default: the label)',
    },
    json: { summary: 'print JSON' },
  },
  examples: [
    'peyk app create shop',
    'peyk app create shop --name "My shop"',
    'peyk app create shop --json > shop.json',
  ],

  async run(input) {
    const label = input.words[0] as string
    const { app, accessToken, clientKey } = await withStore((store, now) =>
      createApp({ store, now }, { label, name: input.text('name') }),
    )
    if (input.isOn('json')) {
      printJson({ appId: app.label, name: app.name, accessToken, clientKey })
      return undefined
    }
    print(`Created the app ${app.label} ("${app.name}").

  access token, for your backend           ${accessToken}
  client key, for the client library       ${clientKey}

They are shown only once: just their hashes are stored. peyk token create --app ${app.label} creates more.`)
    return undefined
  },
}
