import type {
  AnswerOf,
  deleteUser,
  panelAddTag,
  panelRemoveTag,
  panelSetAttributes,
  panelUser,
  panelUserCodes,
  panelUserEvents,
  panelUserMessages,
  panelUsers,
} from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

export type UserEvent = AnswerOf<typeof panelUserEvents>['data'][number]

const userPath = (userId: string, rest = '') => `/users/${encodeURIComponent(userId)}${rest}`

export function useFoundUsers(search: string) {
  return useAppQuery<typeof panelUsers>('/users', { search })
}

export function useUser(userId: string) {
  return useAppQuery<typeof panelUser>(userPath(userId), undefined, { keepLast: false })
}

type AskPage<Page> = (
  method: 'GET',
  path: string,
  options: { query: { cursor: string | undefined; limit: number | undefined }; signal: AbortSignal },
) => Promise<Page>

/** A list of a user that goes on, a page at a time. */
function usePages<Page extends { cursor?: string }>(ask: AskPage<Page>, path: string, limit?: number) {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: appKey(appId, path),
    queryFn: ({ pageParam, signal }) =>
      ask('GET', appPath(appId, path), { query: { cursor: pageParam, limit }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor,
  })
}

export function useUserEvents(userId: string) {
  return usePages(call<typeof panelUserEvents>, userPath(userId, '/events'), 30)
}

export function useUserMessages(userId: string) {
  return usePages(call<typeof panelUserMessages>, userPath(userId, '/messages'))
}

export function useUserCodes(userId: string) {
  return useAppQuery<typeof panelUserCodes>(userPath(userId, '/codes'), undefined, { keepLast: false })
}

const refreshes = ['/users', '/segments']

export function useAddTag(userId: string) {
  return useAppMutation<typeof panelAddTag>('POST', userPath(userId, '/tags'), { refreshes })
}

export function useRemoveTag(userId: string) {
  return useAppMutation<typeof panelRemoveTag>('POST', userPath(userId, '/tags/remove'), { refreshes })
}

export function useSetAttributes(userId: string) {
  return useAppMutation<typeof panelSetAttributes>('POST', userPath(userId, '/attributes'), { refreshes })
}

export function useDeleteUser(userId: string) {
  return useAppMutation<typeof deleteUser>('DELETE', userPath(userId))
}
