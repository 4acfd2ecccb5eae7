import type { MessageContent } from '../compose/compose-message.ts'
import type { AppLook, PushMessage, Recipient } from './compiled-push.ts'

export const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
export const acceptedAt = new Date('2026-11-15T08:00:00Z')

export function pushMessage(content: MessageContent, more: Partial<PushMessage> = {}): PushMessage {
  return {
    id,
    product: 'notification',
    trackId: undefined,
    clientId: undefined,
    acceptedAt,
    expiresAt: new Date(acceptedAt.getTime() + 3_600_000),
    content,
    ...more,
  }
}

export const look: AppLook = { name: 'Shop', notificationText: undefined, icon: undefined }

export const sara: Recipient = {
  userId: 'sara',
  installationId: '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11',
  deviceType: 'ios',
  attributes: { firstName: 'Sara' },
  promoCode: 'SPRING-1',
}
