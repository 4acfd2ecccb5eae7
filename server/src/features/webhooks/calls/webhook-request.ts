import { createHmac } from 'node:crypto'

export interface WebhookEventToTell {
  id: string
  type: string
  at: Date
  appLabel: string
  data: unknown
}

/** What a receiver gets. The signature covers the moment of the call, so that an old one cannot be replayed for long. */
export function webhookRequest(event: WebhookEventToTell, secret: string, at: Date) {
  const body = JSON.stringify({
    id: event.id,
    type: event.type,
    createdAt: event.at.toISOString(),
    app: event.appLabel,
    data: event.data,
  })
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signature = createHmac('sha256', secret).update(`${event.id}.${timestamp}.${body}`).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Peyk-Webhooks',
    'peyk-webhook-id': event.id,
    'peyk-webhook-timestamp': timestamp,
    'peyk-webhook-signature': `v1=${signature}`,
  }
  return { body, headers }
}
