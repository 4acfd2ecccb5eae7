import type { FoundUser } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { describeUsers, findByInstallation, findByTag, findByUserId, findRecent } from './found-users-store.ts'

const most = 50
const mostRecent = 25

/** One box for three things: the beginning of a user id, the id of an installation, a tag with or without its value. */
export async function findUsers(ctx: Context, input: { search?: string | undefined }): Promise<{ data: FoundUser[] }> {
  const search = input.search?.trim() ?? ''
  const found = new Map<number, FoundUser['foundBy']>()
  const add = (foundBy: FoundUser['foundBy'], userNos: readonly number[]) => {
    for (const userNo of userNos) if (!found.has(userNo) && found.size < most) found.set(userNo, foundBy)
  }
  if (search === '') add('recent', await findRecent(ctx, mostRecent))
  else {
    if (isUuid(search)) add('installationId', await findByInstallation(ctx, search))
    add('userId', await findByUserId(ctx, search, most))
    add('tag', await findByTag(ctx, readTag(search), most))
  }
  return { data: await describeUsers(ctx, found) }
}

/** `tag:vip`, `city=tehran` or just `vip`. A tag may itself have an equals sign in it. */
function readTag(search: string): { tag: string; key?: { tag: string; value: string } } {
  const tag = search.replace(/^tag:\s*/i, '')
  const equals = tag.indexOf('=')
  if (equals < 1) return { tag }
  return { tag, key: { tag: tag.slice(0, equals).trim(), value: tag.slice(equals + 1).trim() } }
}
