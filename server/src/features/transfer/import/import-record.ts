import type { Context } from '../../../base/context.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { readChange } from '../../installations/register/read-change.ts'
import { writeInstallation } from '../../installations/register/write-installations.ts'
import { writeTags } from '../../installations/tags/write-tags.ts'
import { identityOf } from './find-known-devices.ts'
import type { ImportRecord } from './read-record.ts'

/** Stores what a line brings, as the API does. Answers how many devices are new: one that is known stays as it is. */
export async function importRecord(
  ctx: Context,
  { userId, tags, attributes, devices }: ImportRecord,
  known: ReadonlySet<string>,
): Promise<{ devices: number }> {
  const news = devices.filter((device) => !identityOf(device).some((each) => known.has(each)))
  for (const device of news)
    await writeInstallation(ctx, { ...readChange(ctx, device), id: device.id, newId: device.id })
  if (userId === undefined) return { devices: news.length }
  const operations = tags.map(({ tag, value }) =>
    value === null ? { kind: 'add' as const, tag } : { kind: 'set' as const, tag, value },
  )
  if (operations.length > 0) await writeTags(ctx, { appId: ctx.app.id, userId, operations, begunAt: ctx.now() })
  if (Object.keys(attributes).length > 0) await setAttributes(ctx, { userId, attributes })
  return { devices: news.length }
}
