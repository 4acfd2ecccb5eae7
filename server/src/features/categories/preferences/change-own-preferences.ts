import type { Preferences, PreferencesChange } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { changePreferences } from './change-preferences.ts'
import { userOfInstallation } from './user-of-installation.ts'

export async function changeOwnPreferences(
  ctx: Context,
  { id, ...change }: PreferencesChange & { id: string },
): Promise<Preferences> {
  return changePreferences(ctx, { ...change, userId: await userOfInstallation(ctx, id) })
}
