import type { FaultPreset, FaultPresets, Phone, PhoneAct, SimulatedProvider } from '@peyk/contract'
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

export function useFaultPresets() {
  return useAppQuery<FaultPresets>('/moods')
}

export function useSetFaultPreset(provider: SimulatedProvider) {
  return useAppMutation<FaultPresets, { mood: FaultPreset }>('PUT', `/moods/${provider}`, { refreshes: ['/moods'] })
}
