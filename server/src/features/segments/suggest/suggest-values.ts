import type { Context } from '#base/context.ts'
import { findField } from '../fields.ts'
import {
  listAttributeTexts,
  listNewestAttributeItems,
  listNewestChannels,
  listNewestValues,
  listTagNames,
  listTagValues,
  listUserIds,
} from './suggestions-store.ts'

/** Columns under which people know what is compared by a key. */
const shownColumns: Record<string, string> = { client_version_key: 'client_version', os_version_key: 'os_version' }

/** Some values of a name that begin so. What has no list of values, such as a time, has none. */
export async function suggestValues(
  ctx: Context,
  { name, prefix = '' }: { name: string; prefix?: string },
): Promise<string[]> {
  const source = findField(name, 'segment')?.source
  switch (source?.from) {
    case 'tags':
      return listTagNames(ctx, prefix)
    case 'value-tag':
      return listTagValues(ctx, source.key, prefix)
    case 'user':
      return listUserIds(ctx, prefix)
    case 'channels':
      return listNewestChannels(ctx, prefix)
    case 'attribute': {
      const texts = await listAttributeTexts(ctx, source.name, prefix)
      return texts.length > 0 ? texts : listNewestAttributeItems(ctx, source.name, prefix)
    }
    case 'column':
      return source.type === 'text' ? listNewestValues(ctx, shownColumns[source.column] ?? source.column, prefix) : []
    default:
      return []
  }
}
