import type { BodyOf, attributes as endpoint } from '@peyk/contract'
import { begunAt, type Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { checkInstallationId } from '../installation-id.ts'
import { readAttributes } from './attribute-operation.ts'
import type { AttributeWrite } from './attribute-owners.ts'
import { type AttributesAnswer, writeAttributes } from './write-attributes.ts'

/** [interface.md#48-set-attributes] By `userId` on the user, by `installationId` on that installation alone. */
export async function setAttributes(ctx: Context, input: BodyOf<typeof endpoint>): Promise<AttributesAnswer> {
  const operations = readAttributes(input.attributes)
  return writeAttributes(ctx, { appId: ctx.app.id, owner: readOwner(input), operations, begunAt: begunAt(ctx) })
}

function readOwner({ userId, installationId }: BodyOf<typeof endpoint>): AttributeWrite['owner'] {
  if (installationId !== undefined)
    return { installationId: checkInstallationId(installationId), userId, of: 'installation' }
  if (userId !== undefined) return { userId }
  throw new RequestError('invalid-request', 'Expected "userId" or "installationId".', { details: { field: 'userId' } })
}
