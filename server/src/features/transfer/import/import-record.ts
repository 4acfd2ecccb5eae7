import type { Context } from '#base/context.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { readChange } from '../../installations/register/read-change.ts'
import { importInstallation } from '../../installations/register/write-installations.ts'
import { writeTags } from '../../installations/tags/write-tags.ts'
import type { ImportRecord } from './read-record.ts'

/** Stores the new devices of a line; known ones stay unchanged. */
export async function importDevices(ctx: Context, { devices, userId, isGuest }: ImportRecord) {
  const written = await Promise.all(
    devices.map(({ id, body, imported }) =>
      importInstallation(ctx, { ...readChange(ctx, body), id, newId: id, imported }),
    ),
  )
  return {
    devices: written.filter(({ isKnown }) => !isKnown).length,
    // A device that somebody else uses now says nothing about a guest.
    isOwner: !isGuest || written.some(({ installation }) => installation.isGuest && installation.userId === userId),
  }
}

export async function importTags(ctx: Context, { userId, tags }: ImportRecord): Promise<void> {
  if (tags.length === 0) return
  const operations = tags.map(({ tag, value }) =>
    value === null ? { kind: 'add' as const, tag } : { kind: 'set' as const, tag, value },
  )
  await writeTags(ctx, { appId: ctx.app.id, userId, operations, begunAt: ctx.now() })
}

export async function importAttributes(ctx: Context, { userId, attributes }: ImportRecord): Promise<void> {
  if (Object.keys(attributes).length > 0) await setAttributes(ctx, { userId, attributes })
}
