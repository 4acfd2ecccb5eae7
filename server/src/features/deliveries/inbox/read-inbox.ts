import type { Context } from '#base/context.ts'
import { preferencesUrlFor } from '../../categories/preferences/preference-link.ts'
import { clearContent } from '../../messages/payloads/clear-payload.ts'
import type { Recipient } from '../../messages/payloads/compiled-push.ts'
import { joinAttributes, type NeededAttributes, needsAny } from '../../messages/rendering/needed-values.ts'
import type { PendingTexts } from '../../messages/rendering/pending-texts.ts'
import { markShown } from '../../promo/mark-shown.ts'
import { readAttributes } from '../dispatch/read-recipients.ts'
import { readLanguages } from '../languages/read-languages.ts'
import { readVariants } from '../variants/read-variants.ts'
import { type InboxAsk, type InboxRow, readInboxRows } from './inbox-store.ts'
import { findMessages, type KnownMessage, knownKey } from './known-messages.ts'
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
  /** It was recalled: the client is to take it away. */
  isRecalled: boolean
  secondsLeft: number
  body: Buffer
}

type Services = Pick<Context, 'store' | 'now' | 'external'>

/** Where texts are written that may take long, and who is told that those of an installation are there. */
export interface Late {
  texts: PendingTexts
  onReady(installationNo: number): void
}

/**
 * What waits for these installations, each the oldest first and written for its user. One that cannot be written ends.
 * An installation whose next message takes long to write, or is still on its way into the inbox, gets the rest later:
 * it is `waiting` and told when the text is there, or `behind` and to be asked for again.
 */
export async function readInbox(
  services: Services,
  asks: readonly InboxAsk[],
  late: Late,
): Promise<{ messages: InboxMessage[]; waiting: ReadonlySet<number>; behind: ReadonlySet<number> }> {
  const read = await readInboxRows(services.store, asks)
  const known = findMessages(services.store, read)
  const rows = await withShownCodes(services.store, asks, read)
  const attributes = await attributesOf(services.store, rows, known)
  const variantOf = await variantsOf(services.store, rows, known)
  const languageOf = await languagesOf(services.store, rows, known)
  const messages: InboxMessage[] = []
  const refused: (InboxRow & { detail: string })[] = []
  const waiting = new Set<number>()
  const behind = new Set(rows.filter((row) => row.is_behind).map((row) => row.installation_no))
  for (const row of rows) {
    const message = known.get(knownKey(row))
    if (!message || row.is_behind || waiting.has(row.installation_no)) continue
    if (row.is_recalled) {
      messages.push(asInboxMessage(row, message, Buffer.from(JSON.stringify(clearContent(row.message_id)))))
      continue
    }
    const recipient = recipientOf(services, row, attributes.get(row.installation_no) ?? {})
    const variant = variantOf?.(row.message_id, row.installation_no)
    if (variant !== undefined) recipient.variant = variant
    const language = languageOf?.(row, message, variant)
    if (language !== undefined) recipient.language = language
    if (message.compiled.isPersonal && isLate(row, message, recipient, late)) {
      waiting.add(row.installation_no)
      continue
    }
    const rendered = message.compiled.render(recipient)
    if (rendered.kind === 'ready') messages.push(asInboxMessage(row, message, rendered.body))
    else refused.push({ ...row, detail: rendered.detail })
  }
  if (refused.length > 0) await refuseMessages(services, refused)
  return { messages, waiting, behind }
}

/** Leaves out messages whose code was returned meanwhile. Most messages have no code. */
async function withShownCodes(
  store: Context['store'],
  asks: readonly InboxAsk[],
  rows: InboxRow[],
): Promise<InboxRow[]> {
  const userOf = new Map(asks.map(({ installationNo, userId }) => [installationNo, userId]))
  const shown = rows.flatMap((row) => {
    const { app_id: appId, promo_code: code, user_id: userId } = row
    const isSent = userId === userOf.get(row.installation_no) && !row.is_behind && !row.is_recalled
    return code === null || !isSent ? [] : [{ appId, code, row }]
  })
  if (shown.length === 0) return rows
  const isGiven = await markShown(store, shown)
  const left = new Set(shown.filter((_, index) => !isGiven[index]).map(({ row }) => row))
  return left.size === 0 ? rows : rows.filter((row) => !left.has(row))
}

/** Whether its texts are still to be written; then that has begun. */
function isLate(row: InboxRow, { compiled }: KnownMessage, recipient: Recipient, { texts, onReady }: Late): boolean {
  const key = `${row.message_id}/${row.installation_no}`
  const ready = texts.take(key)
  if (ready) recipient.written = ready
  if (!compiled.needsSlowTexts([recipient])) return false
  const write = () => compiled.renderSlowTexts(row.app_id, [recipient])
  texts.begin(key, recipient, write, () => onReady(row.installation_no))
  return true
}

function recipientOf({ external }: Services, row: InboxRow, attributes: Record<string, unknown>): Recipient {
  return {
    userId: row.user_id,
    installationId: row.installation_id,
    deviceType: row.device_type,
    attributes,
    promoCode: row.promo_code ?? undefined,
    preferencesUrl: preferencesUrlFor(external, { appId: row.app_id, userId: row.user_id }),
  }
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
    isRecalled: row.is_recalled,
    secondsLeft: row.seconds_left,
    body,
  }
}

/** Of messages that have some; usually there are none. */
async function variantsOf(store: Context['store'], rows: readonly InboxRow[], known: Map<string, KnownMessage>) {
  const keys = rows
    .filter((row) => known.get(row.message_id)?.hasVariants)
    .map((row) => ({ appId: row.app_id, messageId: row.message_id, installationNo: row.installation_no }))
  return keys.length > 0 ? readVariants(store, keys) : undefined
}

/** Of messages that have several; usually there are none. */
async function languagesOf(store: Context['store'], rows: readonly InboxRow[], known: Map<string, KnownMessage>) {
  const keys = rows
    .filter((row) => known.get(row.message_id)?.compiled.languageFor)
    .map((row) => {
      const key = { appId: row.app_id, messageId: row.message_id, installationNo: row.installation_no }
      return { ...key, isAgain: true }
    })
  if (keys.length === 0) return undefined
  const languageOf = await readLanguages(store, keys)
  return (row: InboxRow, { compiled }: KnownMessage, variant: string | undefined) =>
    compiled.languageFor?.(languageOf(row.message_id, row.installation_no), variant)
}

async function attributesOf(
  store: Context['store'],
  rows: readonly InboxRow[],
  known: Map<string, KnownMessage>,
): Promise<Map<number, Record<string, unknown>>> {
  const byApp = new Map<number, { rows: Map<number, InboxRow>; needed: NeededAttributes[] }>()
  for (const row of rows) {
    const needed = known.get(knownKey(row))?.compiled.attributes
    if (!needed || !needsAny(needed)) continue
    const own = byApp.get(row.app_id) ?? { rows: new Map<number, InboxRow>(), needed: [] as NeededAttributes[] }
    own.rows.set(row.installation_no, row)
    own.needed.push(needed)
    byApp.set(row.app_id, own)
  }
  const all = new Map<number, Record<string, unknown>>()
  for (const [appId, { rows: own, needed }] of byApp) {
    const read = await readAttributes(store, appId, [...own.values()], joinAttributes(needed))
    for (const [installationNo, attributes] of read) all.set(installationNo, attributes)
  }
  return all
}
