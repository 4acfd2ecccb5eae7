import sql from 'sql-template-tag'
import { inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { createToken } from '../access-tokens/create-token.ts'
import type { AccountsContext } from '../accounts-context.ts'
import { type App, type AppRow, readApp } from './app.ts'
import { checkLabel, checkName } from './check-names.ts'

export interface NewApp {
  app: App
  accessToken: string
  clientKey: string
}

/** An app with a token for its back end and a key for its client library: without them nobody could call it. */
export async function createApp(
  ctx: AccountsContext,
  input: { label: string; name?: string | undefined; tokenNames?: { server: string; client: string } },
): Promise<NewApp> {
  const label = checkLabel(input.label)
  const name = checkName('the name of an app', input.name ?? label)
  const { server, client } = input.tokenNames ?? { server: 'server', client: 'client' }
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.query<AppRow>(sql`
      insert into apps (label, name, created_at) values (${label}, ${name}, ${ctx.now()})
      on conflict (label) do nothing returning app_id, label, name, settings, created_at`)
    if (!row) throw new RequestError('already-exists', `An app "${label}" already exists.`)
    const app = readApp(row)
    const inner = { ...ctx, tx, app }
    const serverToken = await createToken(inner, { name: server, scopes: ['server'] })
    const clientToken = await createToken(inner, { name: client, scopes: ['client'] })
    return { app, accessToken: serverToken.token, clientKey: clientToken.token }
  })
}
