import type { DeliveryState } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Store, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { MovedDelivery } from '../deliveries/progress/advance-deliveries.ts'
import { type Happening, leaveInOutbox, mayInterest } from '../outbox/outbox.ts'
import type { ReceiptRow } from './receipts-store.ts'

interface Told {
  appId: number
  messageId: string
  installationNo: number
  kind: 'message.delivered' | 'message.opened' | 'message.action' | 'message.dismissed'
  actionId: string
  at: Date
}

interface Row {
  /** Of what is told, from 1. What was forgotten meanwhile has no row. */
  position: number
  track_id: string | null
  client_id: string | null
  user_id: string
  installation_id: string
  device_type: string
}

const kinds = { opened: 'message.opened', acted: 'message.action', dismissed: 'message.dismissed' } as const
const isHere = (state: DeliveryState | undefined) =>
  state !== undefined && !(['queued', 'sent', 'ended'] as DeliveryState[]).includes(state)

/** For webhooks, each once: a delivery that has reached its device, and what the device says of it for the first time. */
export async function emitReceipts(
  tx: Transaction,
  store: Store,
  { news, moved, at }: { news: readonly ReceiptRow[]; moved: readonly MovedDelivery[]; at: Date },
): Promise<void> {
  const arrived = moved
    .filter(({ was, state }) => isHere(state) && !isHere(was))
    .map((delivery): Told => ({ ...delivery, kind: 'message.delivered', actionId: '', at }))
  const reported = news.flatMap(({ kind, happenedAt, ...receipt }): Told[] =>
    kind in kinds ? [{ ...receipt, kind: kinds[kind as keyof typeof kinds], at: happenedAt }] : [],
  )
  const told = [...arrived, ...reported].filter(({ appId, kind }) => mayInterest(store, appId, kind))
  if (told.length === 0) return
  const rows = await readAbout(tx, told)
  await leaveInOutbox(
    tx,
    store,
    rows.map((row) => happening(told[row.position - 1] as Told, row)),
  )
}

function readAbout(tx: Transaction, told: readonly Told[]): Promise<Row[]> {
  return tx.query<Row>(
    sql`select k.position, m.track_id, m.client_id, u.user_id, i.id as installation_id, i.device_type
        from ${unnestRows(
          told,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            message_id: ['uuid', ({ messageId }) => messageId],
            installation_no: ['bigint', ({ installationNo }) => installationNo],
          },
          { position: 'position' },
        )}
        join messages m on m.app_id = k.app_id and m.id = k.message_id
        join installations i on i.app_id = k.app_id and i.installation_no = k.installation_no
        join users u on u.app_id = i.app_id and u.user_no = i.user_no
        order by k.position`,
    'read-told-receipts',
  )
}

function happening({ appId, messageId, kind, actionId, at }: Told, row: Row): Happening {
  const body = {
    messageId,
    ...(row.track_id !== null && { trackId: row.track_id }),
    ...(row.client_id !== null && { clientId: row.client_id }),
    userId: row.user_id,
    installationId: row.installation_id,
    deviceType: row.device_type,
  }
  return kind === 'message.action' ? { appId, kind, at, body: { ...body, actionId } } : { appId, kind, at, body }
}
