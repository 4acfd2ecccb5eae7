import type {
  AnswerOf,
  checkProvider,
  getApp,
  listCategories,
  listImages,
  listProviders,
  listWebhooks,
  Provider,
  panelAudit,
  panelMembers,
  panelRetention,
  panelTokens,
  webhookAttempts,
} from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'

export type ProviderName = Provider['provider']

export type CheckedProvider = AnswerOf<typeof checkProvider>

export const useOwnApp = () => useAppQuery<typeof getApp>('/app')
export const useTokens = () => useAppQuery<typeof panelTokens>('/tokens')
export const useProviders = () => useAppQuery<typeof listProviders>('/providers')
export const useWebhooks = () => useAppQuery<typeof listWebhooks>('/webhooks', undefined, { refetchInterval: 20_000 })
export const useCategories = () => useAppQuery<typeof listCategories>('/categories')
export const useRetention = () => useAppQuery<typeof panelRetention>('/retention')
export const useMembers = () => useAppQuery<typeof panelMembers>('/members')

export function useAudit() {
  return usePages(call<typeof panelAudit>, '/audit')
}

export function useImages() {
  return usePages(call<typeof listImages>, '/images')
}

const attemptsEveryMs = 5_000

export function useAttempts(webhookId: string) {
  return usePages(call<typeof webhookAttempts>, `/webhooks/${encodeURIComponent(webhookId)}/attempts`, attemptsEveryMs)
}

type AskPage<Page> = (
  method: 'GET',
  path: string,
  options: { query: { limit: number; cursor: string | undefined }; signal: AbortSignal },
) => Promise<Page>

/** Asks again every so often, as long as nobody has gone on to a second page. */
function usePages<Page extends { cursor?: string }>(ask: AskPage<Page>, path: string, everyMs: number | false = false) {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: [...appKey(appId, path), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask('GET', appPath(appId, path), { query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: ({ state }) => state.data?.pages.length === 1 && everyMs,
  })
}
