import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { createToken } from '../accounts/access-tokens/create-token.ts'
import { findToken } from '../accounts/access-tokens/find-token.ts'
import { listTokens } from '../accounts/access-tokens/list-tokens.ts'
import { revokeToken } from '../accounts/access-tokens/revoke-token.ts'
import { createApp } from '../accounts/apps/create-app.ts'
import { findApp } from '../accounts/apps/find-app.ts'
import { type DemoSimulator, equipDemoApp } from './equip-demo-app.ts'
import { fillDemoApp } from './fill-demo-app.ts'
import { inOneTransaction } from './in-one-transaction.ts'

export interface DemoTokens {
  appId: string
  accessToken: string
  clientKey: string
}

export interface DemoInput {
  known: { accessToken: string; clientKey: string } | undefined
  /** A short name for where the file is, where several processes with a file each may use the database. */
  place?: string | undefined
  simulator?: DemoSimulator
}

type DemoContext = Pick<Context, 'store' | 'log' | 'now' | 'external'>
type TokenNames = ReturnType<typeof tokenNamesOf>

const label = 'demo'

/** Tokens of other places are left alone: another process on the same database has them in its file. */
function tokenNamesOf(place: string | undefined) {
  const of = place === undefined ? '' : ` of ${place}`
  return { server: `demo.json access token${of}`, client: `demo.json client key${of}` }
}

/**
 * The demo app, its data and tokens that work. App, tokens and data are one commit, so there is never half a demo. The
 * tokens that are known (from demo.json) are kept when they work; else they are replaced, and the old ones of the same
 * place revoked. With a simulator, the app's devices can be reached there.
 */
export async function openDemoApp(ctx: DemoContext, input: DemoInput): Promise<DemoTokens> {
  const tokens = await openApp(ctx, input)
  const app = await getDemoApp(ctx)
  if (input.simulator) await equipDemoApp({ ...ctx, app }, input.simulator)
  return tokens
}

async function openApp(ctx: DemoContext, { known, place }: DemoInput): Promise<DemoTokens> {
  const tokenNames = tokenNamesOf(place)
  if (!(await findApp(ctx, { label }))) {
    try {
      return await createDemo(ctx, tokenNames)
    } catch (error) {
      // Another process on the same database was faster.
      if (!(error instanceof RequestError && error.code === 'already-exists')) throw error
    }
  }
  const inApp: Context = { ...ctx, app: await getDemoApp(ctx) }
  if (!(await hasUsers(inApp))) {
    await inOneTransaction(ctx.store, (store) => fillDemoApp({ ...inApp, store }))
  }
  if (known && (await areOurs(inApp, known))) return { appId: label, ...known }
  return renewTokens(inApp, tokenNames)
}

async function getDemoApp(ctx: DemoContext): Promise<{ id: number; label: string }> {
  const app = await findApp(ctx, { label })
  if (!app) throw new RequestError('not-found', `There is no app "${label}".`)
  return { id: app.id, label }
}

async function createDemo(ctx: DemoContext, tokenNames: TokenNames): Promise<DemoTokens> {
  return inOneTransaction(ctx.store, async (store) => {
    const { app, accessToken, clientKey } = await createApp({ ...ctx, store }, { label, name: 'Demo shop', tokenNames })
    await fillDemoApp({ ...ctx, store, app: { id: app.id, label } })
    return { appId: label, accessToken, clientKey }
  })
}

async function hasUsers(ctx: Context): Promise<boolean> {
  const rows = await ctx.store.query(sql`select 1 from users where app_id = ${ctx.app.id} limit 1`)
  return rows.length > 0
}

async function areOurs(ctx: Context, known: { accessToken: string; clientKey: string }): Promise<boolean> {
  const server = await findToken(ctx.store, known.accessToken)
  const client = await findToken(ctx.store, known.clientKey)
  const isOurs = (token: typeof server, scope: 'server' | 'client') =>
    token?.app.id === ctx.app.id && token.scopes.includes(scope)
  return isOurs(server, 'server') && isOurs(client, 'client')
}

async function renewTokens(ctx: Context, tokenNames: TokenNames): Promise<DemoTokens> {
  return ctx.store.transaction(async (tx) => {
    const inner = { ...ctx, tx }
    const old = (await listTokens(inner)).filter(({ name }) => name === tokenNames.server || name === tokenNames.client)
    for (const { id } of old) await revokeToken(inner, { id })
    const server = await createToken(inner, { name: tokenNames.server, scopes: ['server'] })
    const client = await createToken(inner, { name: tokenNames.client, scopes: ['client'] })
    return { appId: label, accessToken: server.token, clientKey: client.token }
  })
}
