import { RequestError } from '#base/errors.ts'
import type { AccountsContext } from '../accounts-context.ts'
import type { App } from './app.ts'
import { findApp } from './find-app.ts'

export async function getApp(ctx: AccountsContext, input: { label: string }): Promise<App> {
  const app = await findApp(ctx, input)
  if (!app) throw new RequestError('not-found', `There is no app "${input.label}".`)
  return app
}
