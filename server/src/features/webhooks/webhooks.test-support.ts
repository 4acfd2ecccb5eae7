import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookEvent } from '@peyk/contract'
import { testExternal } from '@peyk/test/database/test-store.ts'
import { afterAll } from 'vitest'
import type { Context, OutwardContext } from '#base/context.ts'
import { type Durations, defaultDurations } from '#base/durations.ts'
import type { External } from '#base/external.ts'
import { type Happening, leaveInOutbox } from '../outbox/outbox.ts'
import { createWebhookLoop } from './calls/webhook-loop.ts'
import { createWebhook } from './settings/create-webhook.ts'

/** As in development: receivers on this machine are allowed. */
export const localExternal: External = { ...testExternal, webhooksMayBeLocal: true }

export interface ReceivedCall {
  headers: IncomingMessage['headers']
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any
}

type Answer = (call: ReceivedCall, response: ServerResponse, received: ReceivedCall[]) => void

/** A receiver that keeps what it got; it answers 204 unless told otherwise. */
export async function startReceiver(answer: Answer = (_, response) => response.writeHead(204).end()) {
  const received: ReceivedCall[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const call = { headers: request.headers, text, body: JSON.parse(text) }
      received.push(call)
      answer(call, response, received)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  afterAll(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received, close }
}

export function addWebhook(ctx: OutwardContext, url: string, events: WebhookEvent[] = ['user.new']) {
  return createWebhook(ctx, { url, events })
}

/** Tells of users `from` … `from + count - 1`. */
export async function emitUsers(ctx: Context, count: number, from = 0): Promise<void> {
  const happenings = Array.from(
    { length: count },
    (_, index): Happening => ({
      appId: ctx.app.id,
      kind: 'user.new',
      at: ctx.now(),
      body: { userId: `u${from + index}` },
    }),
  )
  await leaveInOutbox(ctx.store, ctx.store, happenings)
}

/** What failed is not tried again while a test looks at it. */
const retryingInAnHour: Durations = { ...defaultDurations, webhookRetryMs: 3_600_000 }

/** Runs the loop until the work has been done. */
export async function whileTelling(
  ctx: Context,
  work: () => Promise<void>,
  { timeoutMs, durations = retryingInAnHour }: { timeoutMs?: number; durations?: Durations } = {},
) {
  const loop = createWebhookLoop({ ...ctx, durations, ...(timeoutMs !== undefined && { timeoutMs }) })
  loop.start()
  try {
    await work()
  } finally {
    await loop.stop()
  }
}
