import { loadConfig } from '../../base/config.ts'
import { resealIdentitySecrets } from '../../features/accounts/apps/reseal-identity-secrets.ts'
import { resealCredentials } from '../../features/accounts/providers/reseal-credentials.ts'
import { resealApnsTokens } from '../../features/deliveries/providers/apns/reseal-apns-tokens.ts'
import { resealWebhooks } from '../../features/webhooks/settings/reseal-webhooks.ts'
import type { Command } from './command.ts'
import { openExternal } from './open-external.ts'
import { print } from './print.ts'
import { withStore } from './with-store.ts'

export const command: Command = {
  options: {},
  notes: `To change the key that seals credentials, identity secrets and webhook secrets:
  1. start every process with PEYK_SECRET_KEY="<new>,<old>": the first seals, all of them open
  2. run this command with the same PEYK_SECRET_KEY
  3. when it names nothing that could not be opened, start every process with PEYK_SECRET_KEY="<new>"

The old key is in secret.key of the data folder if PEYK_SECRET_KEY was not set before. A new one: openssl rand -base64 32
May run beside the service and may be repeated. Exit code 1 when something could not be opened; that stays as it is.`,
  examples: ['PEYK_SECRET_KEY="<new>,<old>" peyk secrets reseal'],

  async run() {
    const external = await openExternal(loadConfig())
    const { count, unreadable } = await withStore(async (store, now) => {
      const ctx = { store, now, external }
      const parts = [await resealCredentials(ctx), await resealIdentitySecrets(ctx), await resealWebhooks(ctx)]
      await resealApnsTokens(ctx)
      return {
        count: parts.reduce((sum, part) => sum + part.count, 0),
        unreadable: parts.flatMap((part) => part.unreadable),
      }
    })
    print(`Sealed ${count} ${count === 1 ? 'secret' : 'secrets'} anew.`)
    for (const what of unreadable) print(`NOT OPENED  ${what}: sealed with a key that is not in PEYK_SECRET_KEY`)
    return unreadable.length === 0 ? 0 : 1
  },
}
