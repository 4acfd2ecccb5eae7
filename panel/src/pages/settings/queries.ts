import type {
  Finding,
  OwnApp,
  PanelAuditPage,
  PanelMember,
  PanelRetention,
  PanelToken,
  Provider,
  Webhook,
  WebhookAttempt,
} from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'

export type ProviderName = Provider['provider']

export interface CheckedProvider {
  ok: boolean
  findings: Finding[]
  warning?: string
  warningCode?: string
}

interface AttemptPage {
  data: WebhookAttempt[]
  cursor?: string
}

export const useOwnApp = () => useAppQuery<OwnApp>('/app')
export const useTokens = () => useAppQuery<PanelToken[]>('/tokens')
export const useProviders = () => useAppQuery<Provider[]>('/providers')
export const useWebhooks = () => useAppQuery<Webhook[]>('/webhooks', undefined, { refetchInterval: 20_000 })
export const useRetention = () => useAppQuery<PanelRetention>('/retention')
export const useMembers = () => useAppQuery<PanelMember[]>('/members')

export function useAudit() {
  return usePages<PanelAuditPage>('/audit')
}

export function useAttempts(webhookId: string) {
  return usePages<AttemptPage>(`/webhooks/${encodeURIComponent(webhookId)}/attempts`)
}

function usePages<Page extends { cursor?: string }>(path: string) {
  const { appId } = useApp()
  return useInfiniteQuery({
    queryKey: [...appKey(appId, path), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call<Page>('GET', appPath(appId, path), { query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  })
}
