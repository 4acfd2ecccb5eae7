import { randomBytes } from 'node:crypto'
import { realEndpoints } from '@peyk/server/base/external.ts'
import { createSecretBox } from '@peyk/server/base/secrets/secret-box.ts'
import { sampleLive } from '@peyk/server/features/statistics/overview/sample-live.ts'
import { pino } from 'pino'
import type { PeykDatabase } from '../subjects/peyk.ts'

/** What an open panel costs once a second: all topics, and one message that somebody looks at. */
export async function lookLive({ store, appId }: PeykDatabase, messageId: string): Promise<void> {
  const ctx = {
    app: { id: appId, label: 'bench' },
    store,
    now: () => new Date(),
    log: pino({ level: 'silent' }),
    external: { secretBox: createSecretBox([randomBytes(32)]), real: realEndpoints, webPushHosts: [] },
  }
  await sampleLive(ctx, {
    messages: true,
    others: [],
    events: true,
    alerts: true,
    checklist: true,
    messageIds: [messageId],
  })
}
