import type { MoodyProvider, Phone, PhoneAct, ProviderMood, ProviderMoods } from '@peyk/contract'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

export interface PhoneUse {
  act: PhoneAct
  messageId?: string
  actionId?: string
}

export function useUsePhone(id: string) {
  return useAppMutation<Phone, PhoneUse>('POST', `/phones/${id}`)
}

export function useAddPhone(onSuccess: () => void) {
  return useAppMutation<Phone, { platform: string; userId: string; provider?: 'none' }>('POST', '/phones', {
    onSuccess,
  })
}

export function useRemovePhone(id: string) {
  return useAppMutation('DELETE', `/phones/${id}`)
}

export function useMoods() {
  return useAppQuery<ProviderMoods>('/moods')
}

export function useSetMood(provider: MoodyProvider) {
  return useAppMutation<ProviderMoods, { mood: ProviderMood }>('PUT', `/moods/${provider}`, { refreshes: ['/moods'] })
}
