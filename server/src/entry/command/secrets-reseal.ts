import { loadConfig } from '#base/config.ts'
import { resealIdentitySecrets } from '#features/accounts/apps/reseal-identity-secrets.ts'
import { resealCredentials } from '#features/accounts/providers/reseal-credentials.ts'
import { resealApnsTokens } from '#features/deliveries/providers/apns/reseal-apns-tokens.ts'
import { resealWebhooks } from '#features/webhooks/settings/reseal-webhooks.ts'
import type { Command } from './command.ts'
import { openExternal } from './open-external.ts'
import { print } from './print.ts'
import { withStore } from './with-store.ts'

export const command: Command = {
  options: {},
  notes: `To change the key that encrypts credentials, identity secrets and webhook secrets:
  1. start every process with PEYK_SECRET_KEY="<new>,<old>": the first encrypts, all of them decrypt
  2. run this command with the same PEYK_SECRET_KEY
  3. when it lists nothing that could not be decrypted, start every process with PEYK_SECRET_KEY="<new>"

The old key is in secret.key of the data folder if PEYK_SECRET_KEY was not set before. A new one: openssl rand -base64 32
May run while the service runs, and may be repeated. Exit code 1 if something could not be decrypted; it is left as it is.`,
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
    for (const what of unreadable) print(`NOT OPENED  ${what}: encrypted with a key that is not in PEYK_SECRET_KEY`)
    return unreadable.length === 0 ? 0 : 1
  },
}
