import type { BodyOf, userInfo } from '@peyk/contract'
import { begunAt, type Context } from '#base/context.ts'
import { checkInstallationId } from '../installation-id.ts'
import { isUnverifiedClient } from '../register/is-unverified-client.ts'
import { readAttributeChanges } from './attribute-operation.ts'
import { type AttributesAnswer, writeAttributes } from './write-attributes.ts'

/** The client library names its installation; what it changes belongs to the user, and follows them to other devices. */
export async function changeAttributes(ctx: Context, input: BodyOf<typeof userInfo>): Promise<AttributesAnswer> {
  const owner = { installationId: checkInstallationId(input.installationId), of: 'user' as const }
  return writeAttributes(ctx, {
    appId: ctx.app.id,
    begunAt: begunAt(ctx),
    owner,
    operations: readAttributeChanges(input.data, input.__meta),
    byClient: ctx.client && { isVerifying: !isUnverifiedClient(ctx) },
  })
}
