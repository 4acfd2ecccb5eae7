import type {
  BodyOf,
  panelAddPhone,
  panelCrowd,
  panelFaultPresets,
  panelRemovePhone,
  panelSetCrowd,
  panelSetFaultPreset,
  panelUsePhone,
  SimulatedProvider,
} from '@peyk/contract'
import { useAppMutation, useAppQuery } from '../../api/use-app-query.ts'

export type PhoneUse = BodyOf<typeof panelUsePhone>

export function useUsePhone(id: string) {
  return useAppMutation<typeof panelUsePhone>('POST', `/phones/${id}`)
}

export function useAddPhone(onSuccess: () => void) {
  return useAppMutation<typeof panelAddPhone>('POST', '/phones', { onSuccess })
}

export function useRemovePhone(id: string) {
  return useAppMutation<typeof panelRemovePhone>('DELETE', `/phones/${id}`)
}

/** Asked again and again: its members come one after the other. */
export function useCrowd() {
  return useAppQuery<typeof panelCrowd>('/crowd', undefined, { refetchInterval: 5_000 })
}

export function useSetCrowd() {
  return useAppMutation<typeof panelSetCrowd>('PUT', '/crowd', { refreshes: ['/crowd'] })
}

export function useFaultPresets() {
  return useAppQuery<typeof panelFaultPresets>('/moods')
}

export function useSetFaultPreset(provider: SimulatedProvider) {
  return useAppMutation<typeof panelSetFaultPreset>('PUT', `/moods/${provider}`, { refreshes: ['/moods'] })
}
