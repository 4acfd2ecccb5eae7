import type { AnyNotification, Contents } from '@peyk/contract'
import type { Providers } from '@peyk/simulator/providers/start-providers.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { Context } from '#base/context.ts'
import { readCredentials } from '../../accounts/providers/read-credentials.ts'
import { setCredentials } from '../../accounts/providers/set-credentials.ts'
import { setAttributes } from '../../installations/attributes/set-attributes.ts'
import { sendToUsers } from '../../messages/send/send-to-users.ts'
import { createFallbackLoop } from './fallback-loop.ts'
import type { FallbackState } from './fallback-store.ts'

export interface FallbackRow {
  user_id: string
  state: FallbackState
  phone: string | null
  detail: string | null
}

/** Lets the app send by the simulated Twilio, or with `generic` by the simulated gateway of another kind. */
export async function giveSms(
  ctx: Context,
  { credentials }: Providers,
  options: { dailyLimit?: number; generic?: boolean; authToken?: string } = {},
): Promise<void> {
  const { twilio, generic } = credentials.sms
  const { dailyLimit = 1_000, authToken = twilio.authToken } = options
  const sent = options.generic
    ? {
        kind: 'http',
        method: 'POST',
        url: generic.url,
        headers: { 'x-api-key': generic.apiKey },
        body: { to: '{{to}}', text: '{{text}}', reference: '{{reference}}' },
        dailyLimit,
      }
    : { kind: 'twilio', ...twilio, authToken, dailyLimit }
  const read = readCredentials('sms', sent, undefined)
  await setCredentials(ctx, { provider: 'sms', credentials: read.credentials, isSimulated: true })
}

/** A message with an SMS that is due at once. */
export async function sendWithSms(
  ctx: Context,
  users: string[],
  fallback: { content?: string; delay?: number; policy?: 'NOT_RECEIVED' | 'NOTIFICATION_SHOWN' } = {},
  more: { ttl?: number; trackId?: string; category?: string; contents?: Contents } & Pick<
    AnyNotification,
    'variants' | 'control' | 'winner'
  > = {},
): Promise<string> {
  const message = { users, content: 'Hello', fallback: { content: 'Your code is 1', delay: 0, ...fallback }, ...more }
  return ((await sendToUsers(ctx, message)) as { id: string }).id
}

export function readFallbacks(ctx: Context, messageId: string): Promise<FallbackRow[]> {
  return ctx.store.query<FallbackRow>(sql`
    select user_id, state, phone, detail from sms_fallbacks
    where app_id = ${ctx.app.id} and message_id = ${messageId} order by user_id`)
}

export async function givePhone(ctx: Context, userId: string, phone: string): Promise<void> {
  await setAttributes(ctx, { userId, attributes: { phone } })
}

/** Runs the loop until no SMS of these messages is on its way, or until the work has been done. */
export async function whileSending(ctx: Context, work: () => Promise<unknown>): Promise<void> {
  const loop = createFallbackLoop(ctx)
  loop.start()
  try {
    await work()
  } finally {
    await loop.stop()
  }
}

export async function settleAll(ctx: Context, messageId: string): Promise<FallbackRow[]> {
  await whileSending(ctx, () =>
    poll(async () => (await readFallbacks(ctx, messageId)).map(({ state }) => state)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(waiting|sending)$/)]),
    ),
  )
  return readFallbacks(ctx, messageId)
}
