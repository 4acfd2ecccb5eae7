import { randomUUID } from 'node:crypto'
import type { BodyOf, registerInstallation as endpoint } from '@peyk/contract'
import type { Context } from '../../base/context.ts'
import { isUuid } from '../../base/ids.ts'
import { readChange } from './read-change.ts'
import { showInstallation } from './show-installation.ts'
import { writeInstallation } from './write-installations.ts'

/** Makes an installation. One that names its own id registers again: it is updated, and installed again [choice 46]. */
export async function registerInstallation(ctx: Context, body: BodyOf<typeof endpoint>) {
  const id = isUuid(body.id) ? body.id.toLowerCase() : undefined
  const installation = await writeInstallation(ctx, { ...readChange(ctx, body), id, newId: randomUUID() })
  return showInstallation(ctx.app.label, installation)
}
