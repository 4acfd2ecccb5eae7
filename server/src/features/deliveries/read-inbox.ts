import type { Context } from '../../base/context.ts'
import { readAttributes } from './dispatch/read-recipients.ts'
import { type InboxAsk, type InboxRow, readInboxRows } from './inbox-store.ts'
import { findMessages, type KnownMessage } from './known-messages.ts'
import { refuseMessages } from './refuse-messages.ts'

export interface InboxMessage {
  appId: number
  installationNo: number
  messageId: string
  /** Whose installation it is now. */
  userId: string
  deviceType: string
  /** `default`, `public/x` or `private/x`. */
  channel: string
  isLive: boolean
  /** For an app in the foreground only. */
  isForOpenApp: boolean
  secondsLeft: number
  body: Buffer
}

type Services = Pick<Context, 'store' | 'now'>

/** What waits for these installations, each the oldest first and written for its user. One that cannot be written ends. */
export async function readInbox(services: Services, asks: readonly InboxAsk[]): Promise<InboxMessage[]> {
  const rows = await readInboxRows(services.store, asks)
  if (rows.length === 0) return []
  const known = findMessages(services.store, rows)
  const attributes = await attributesOf(services.store, rows, known)
  const messages: InboxMessage[] = []
  const refused: (InboxRow & { detail: string })[] = []
  for (const row of rows) {
    const message = known.get(row.message_id)
    if (!message) continue
    const rendered = message.compiled.render({
      userId: row.user_id,
      installationId: row.installation_id,
      deviceType: row.device_type,
      attributes: attributes.get(row.installation_no) ?? {},
      promoCode: row.promo_code ?? undefined,
    })
    if (rendered.kind === 'ready') messages.push(asInboxMessage(row, message, rendered.body))
    else refused.push({ ...row, detail: rendered.detail })
  }
  if (refused.length > 0) await refuseMessages(services, refused)
  return messages
}

function asInboxMessage(row: InboxRow, message: KnownMessage, body: Buffer): InboxMessage {
  return {
    appId: row.app_id,
    installationNo: row.installation_no,
    messageId: row.message_id,
    userId: row.user_id,
    deviceType: row.device_type,
    channel: message.channel,
    isLive: message.isLive,
    isForOpenApp: message.isForOpenApp,
    secondsLeft: row.seconds_left,
    body,
  }
}

async function attributesOf(
  store: Context['store'],
  rows: readonly InboxRow[],
  known: Map<string, KnownMessage>,
): Promise<Map<number, Record<string, unknown>>> {
  const byApp = new Map<number, InboxRow[]>()
  for (const row of rows) {
    if (!known.get(row.message_id)?.compiled.needsAttributes) continue
    byApp.set(row.app_id, [...(byApp.get(row.app_id) ?? []), row])
  }
  const all = new Map<number, Record<string, unknown>>()
  for (const [appId, own] of byApp) {
    const distinct = [...new Map(own.map((row) => [row.installation_no, row])).values()]
    for (const [installationNo, attributes] of await readAttributes(store, appId, distinct)) {
      all.set(installationNo, attributes)
    }
  }
  return all
}
