import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { appPath, type CallOptions, call, type Query } from './call.ts'
import { useApp } from './use-app.ts'

interface QueryOptions {
  enabled?: boolean
  staleTime?: number
  /** Off: another question begins empty instead of showing the last answer meanwhile. */
  keepLast?: boolean
  /** A question too long for an address is posted. */
  body?: unknown
  refetchInterval?: number
}

/** The key under which an answer is kept: what refreshes '/segments' refreshes '/segments/…' too. */
export function appKey(appId: string, path: string, query?: Query, body?: unknown): unknown[] {
  const key: unknown[] = ['app', appId, ...path.split('/').filter(Boolean)]
  if (query !== undefined || body !== undefined) key.push({ query, body })
  return key
}

/** Asks `/panel/api/apps/<app><path>`. */
export function useAppQuery<Answer>(path: string, query?: Query, options: QueryOptions = {}) {
  const { appId } = useApp()
  const { keepLast = true, body, ...rest } = options
  return useQuery<Answer>({
    queryKey: appKey(appId, path, query, body),
    queryFn: ({ signal }) =>
      call<Answer>(body === undefined ? 'GET' : 'POST', appPath(appId, path), { query, body, signal }),
    ...(keepLast && { placeholderData: keepPreviousData }),
    ...rest,
  })
}

interface MutationOptions<Answer> {
  /** The paths whose answers are old afterwards. */
  refreshes?: readonly string[]
  onSuccess?: (answer: Answer) => void
}

type Method = 'POST' | 'PUT' | 'DELETE'

/** Changes something. What is passed to `mutate` is the body; `path` may be made from it. */
export function useAppMutation<Answer = unknown, Body = void>(
  method: Method,
  path: string | ((body: Body) => string),
  { refreshes = [], onSuccess }: MutationOptions<Answer> = {},
) {
  const { appId } = useApp()
  const client = useQueryClient()
  return useMutation<Answer, Error, Body>({
    mutationFn: (body) => {
      const options: CallOptions = method === 'DELETE' || body === undefined ? {} : { body }
      return call<Answer>(method, appPath(appId, typeof path === 'string' ? path : path(body)), options)
    },
    onSuccess: async (answer) => {
      await Promise.all(refreshes.map((old) => client.invalidateQueries({ queryKey: appKey(appId, old) })))
      onSuccess?.(answer)
    },
  })
}
