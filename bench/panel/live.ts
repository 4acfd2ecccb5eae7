import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { realEndpoints } from '../../server/src/base/external.ts'
import { createSecretBox } from '../../server/src/base/secrets/secret-box.ts'
import { sampleLive } from '../../server/src/features/statistics/overview/sample-live.ts'
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
