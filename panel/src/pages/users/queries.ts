import type { FoundUser, UserCodes, UserMessages, UserProfile } from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

export interface UserEvent {
  id: string
  installationId?: string
  eventName: string
  eventTime: number
  eventData?: Record<string, unknown>
  revenue?: number
  currency?: string
  influence?: { messageId: string; direct: boolean }
}

const userPath = (userId: string, rest = '') => `/users/${encodeURIComponent(userId)}${rest}`

export function useFoundUsers(search: string) {
  return useAppQuery<{ data: FoundUser[] }>('/users', { search })
}

export function useUser(userId: string) {
  return useAppQuery<UserProfile>(userPath(userId), undefined, { keepLast: false })
}

/** A list of a user that goes on, a page at a time. */
function usePages<Page extends { data: unknown[]; cursor?: string }>(path: string, limit?: number) {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: appKey(appId, path),
    queryFn: ({ pageParam, signal }) =>
      call<Page>('GET', appPath(appId, path), { query: { cursor: pageParam, limit }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.cursor,
  })
}

export function useUserEvents(userId: string) {
  return usePages<{ data: UserEvent[]; cursor?: string }>(userPath(userId, '/events'), 30)
}

export function useUserMessages(userId: string) {
  return usePages<UserMessages>(userPath(userId, '/messages'))
}

export function useUserCodes(userId: string) {
  return useAppQuery<UserCodes>(userPath(userId, '/codes'), undefined, { keepLast: false })
}

const refreshes = ['/users', '/segments']

export function useAddTag(userId: string) {
  return useAppMutation<unknown, { tag: string; value?: string }>('POST', userPath(userId, '/tags'), { refreshes })
}

export function useRemoveTag(userId: string) {
  return useAppMutation<unknown, { tag: string }>('POST', userPath(userId, '/tags/remove'), { refreshes })
}

export function useSetAttributes(userId: string) {
  return useAppMutation<{ warnings?: string[] }, { attributes: Record<string, unknown> }>(
    'POST',
    userPath(userId, '/attributes'),
    { refreshes },
  )
}

export function useDeleteUser(userId: string) {
  return useAppMutation('DELETE', userPath(userId))
}
