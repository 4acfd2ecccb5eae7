import type { AnswerOf, BodyOf, Endpoint } from '@peyk/contract'
import { keepPreviousData, type Query, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { appPath, type CallOptions, call, type QueryFor, type Sent } from './call.ts'
import { useApp } from './use-app.ts'

interface QueryOptions<E> {
  enabled?: boolean
  staleTime?: number
  /** Off: another question begins empty instead of showing the last answer meanwhile. */
  keepLast?: boolean
  /** A question too long for an address is posted. */
  body?: Sent<BodyOf<E>>
  refetchInterval?: number | ((query: Query<AnswerOf<E>>) => number | false)
}

/** The key under which an answer is kept: what refreshes '/segments' refreshes '/segments/…' too. */
export function appKey(appId: string, path: string, query?: object, body?: unknown): unknown[] {
  const key: unknown[] = ['app', appId, ...path.split('/').filter(Boolean)]
  if (query !== undefined || body !== undefined) key.push({ query, body })
  return key
}

/** Asks `/panel/api/apps/<app><path>`, which is the endpoint `E`. */
export function useAppQuery<E extends Endpoint>(path: string, query?: QueryFor<E>, options: QueryOptions<E> = {}) {
  const { appId } = useApp()
  const { keepLast = true, body, ...rest } = options
  return useQuery<AnswerOf<E>>({
    queryKey: appKey(appId, path, query, body),
    queryFn: ({ signal }) =>
      call<E>(body === undefined ? 'GET' : 'POST', appPath(appId, path), { query, body, signal }),
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

/**
 * Changes something through the endpoint `E`. What is passed to `mutate` is its body; `path` may be made from it, and
 * `Body` says so where the path needs more than the endpoint takes.
 */
export function useAppMutation<E extends Endpoint, Body extends BodyOf<E> = BodyOf<E>>(
  method: Method,
  path: string | ((sent: Sent<Body>) => string),
  { refreshes = [], onSuccess }: MutationOptions<AnswerOf<E>> = {},
) {
  const { appId } = useApp()
  const client = useQueryClient()
  return useMutation<AnswerOf<E>, Error, Sent<Body>>({
    mutationFn: (sent) => {
      const options: CallOptions<E, Body> = method === 'DELETE' || sent === undefined ? {} : { body: sent }
      return call<E, Body>(method, appPath(appId, typeof path === 'string' ? path : path(sent)), options)
    },
    onSuccess: async (answer) => {
      await Promise.all(refreshes.map((old) => client.invalidateQueries({ queryKey: appKey(appId, old) })))
      onSuccess?.(answer)
    },
  })
}
