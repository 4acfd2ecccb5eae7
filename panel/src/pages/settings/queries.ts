import type { PanelAuditPage, PanelMember, PanelRetention, PanelToken } from '@peyk/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { appPath, call } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey, useAppQuery } from '../../api/use-app-query.ts'

export interface OwnApp {
  appId: string
  name: string
  defaultNotificationText?: string
  defaultIcon?: string
  allowUserMessages: boolean
  identityVerification: boolean
  /** Only in the answer that made it. */
  identitySecret?: string
}

export type ProviderName = 'fcm' | 'apns' | 'webpush' | 'sms'

export interface Finding {
  ok: boolean
  text: string
}

export interface Provider {
  provider: ProviderName
  simulated: boolean
  setAt: number
  shown: Record<string, unknown>
  paused?: { at: number; reason: string }
}

export interface CheckedProvider {
  ok: boolean
  findings: Finding[]
  warning?: string
}

export interface Webhook {
  id: string
  url: string
  events: string[]
  createdAt: number
  isEnabled: boolean
  disabledReason?: string
  failingSince?: number
  waiting: number
}

export interface Attempt {
  at: number
  eventId: string
  type: string
  status?: number
  detail: string
  tookMs: number
}

interface AttemptPage {
  data: Attempt[]
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
