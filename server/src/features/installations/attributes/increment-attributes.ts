import type { BodyOf, incrementAttribute } from '@peyk/contract'
import { begunAt, type Context } from '#base/context.ts'
import { checkInstallationId } from '../installation-id.ts'
import { isUnverifiedClient } from '../register/is-unverified-client.ts'
import { readIncrements } from './attribute-operation.ts'
import { type AttributesAnswer, writeAttributes } from './write-attributes.ts'

/** Adds to numbers of the installation's user; one that is not there counts as 0. */
export async function incrementAttributes(
  ctx: Context,
  input: BodyOf<typeof incrementAttribute>,
): Promise<AttributesAnswer> {
  const owner = { installationId: checkInstallationId(input.installationId), of: 'user' as const }
  return writeAttributes(ctx, {
    appId: ctx.app.id,
    begunAt: begunAt(ctx),
    owner,
    operations: readIncrements(input.attributes),
    byClient: ctx.client && { isVerifying: !isUnverifiedClient(ctx) },
  })
}
