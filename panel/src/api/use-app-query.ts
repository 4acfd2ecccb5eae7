import type { AnswerOf, BodyOf, Endpoint } from '@peyk/contract'
import { keepPreviousData, type Query, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { appPath, call, type QueryFor, type Sent } from './call.ts'
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

interface MutationOptions<Answer, Given, Body> {
  /** Picks the body, if `mutate` is given more than that. */
  bodyOf?: (given: Given) => Body
  /** The paths whose answers are old afterwards. */
  refreshes?: readonly string[]
  onSuccess?: (answer: Answer) => void
}

type Method = 'POST' | 'PUT' | 'DELETE'

/**
 * Changes something through the endpoint `E`. `mutate` takes its body. If `path` is made from what `mutate` is given,
 * only `bodyOf` of it is sent, because the service refuses fields that the endpoint does not know.
 */
export function useAppMutation<E extends Endpoint, Given extends BodyOf<E> = BodyOf<E>>(
  method: Method,
  path: string | ((given: Sent<Given>) => string),
  { refreshes = [], onSuccess, bodyOf }: MutationOptions<AnswerOf<E>, Sent<Given>, Sent<BodyOf<E>>> = {},
) {
  const { appId } = useApp()
  const client = useQueryClient()
  return useMutation<AnswerOf<E>, Error, Sent<Given>>({
    mutationFn: (given) => {
      const [address, body] = typeof path === 'string' ? [path, given] : [path(given), bodyOf?.(given)]
      const options = method === 'DELETE' || body === undefined ? {} : { body: body as Sent<BodyOf<E>> }
      return call<E>(method, appPath(appId, address), options)
    },
    onSuccess: async (answer) => {
      await Promise.all(refreshes.map((old) => client.invalidateQueries({ queryKey: appKey(appId, old) })))
      onSuccess?.(answer)
    },
  })
}
