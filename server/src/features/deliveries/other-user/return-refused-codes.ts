import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { returnCodes } from '../../promo/return-codes.ts'
import { lockMessage } from '../../promo/take-codes-store.ts'

type Job = Pick<Context, 'store' | 'log'> & { signal?: AbortSignal }

interface Refused {
  app_id: number
  message_id: string
  user_no: number
}

interface OfMessage {
  appId: number
  messageId: string
  userNos: number[]
}

const usersPerTurn = 1_000

/**
 * Gives back the promo codes of deliveries that were refused because somebody else has the installation, where nobody can
 * have seen them: all installations that a code was taken for were refused so, or cancelled, before it was written to a
 * connection, or to a provider that did not answer.
 */
export async function returnRefusedCodes({ store, log, signal }: Job): Promise<void> {
  for (;;) {
    const rows = await store.query<Refused>(
      sql`select app_id, message_id, user_no from promo_refused
          order by app_id, message_id, user_no limit ${usersPerTurn}`,
      'list-refused-codes',
    )
    for (const own of Map.groupBy(rows, ({ app_id, message_id }) => `${app_id}/${message_id}`).values()) {
      if (signal?.aborted) return
      const [{ app_id: appId, message_id: messageId }] = own as [Refused]
      const message = { appId, messageId, userNos: own.map(({ user_no }) => user_no) }
      const codes = await store.transaction((tx) => returnUnseen(tx, message))
      if (codes > 0) log.info({ messageId, codes }, 'promo codes of refused deliveries went back')
    }
    if (rows.length < usersPerTurn) return
  }
}

async function returnUnseen(tx: Transaction, message: OfMessage): Promise<number> {
  const { appId, messageId, userNos } = message
  // Before they are looked at: no further installation is given one of these codes meanwhile.
  await lockMessage(tx, message)
  const unseen = await tx.query<{ user_no: number; track_id: string | null }>(
    sql`select g.user_no, m.track_id
        from promo_given g join messages m on m.app_id = g.app_id and m.id = g.message_id
        where g.app_id = ${appId} and g.message_id = ${messageId} and g.user_no = any(${userNos}::bigint[])
          and g.shown_at is null and g.installation_nos is not null and not exists (
            select from unnest(g.installation_nos) as n(number)
            left join deliveries d on d.app_id = g.app_id and d.message_id = g.message_id and d.installation_no = n.number
            where d.state is distinct from 'ended' or (d.reason <> 'cancelled' and (
              d.detail_code is distinct from 'other-user' or coalesce(d.provider, 'connection') <> 'connection')))
        order by g.user_no for update of g`,
    'find-unseen-codes',
  )
  const trackId = unseen[0]?.track_id ?? undefined
  await returnCodes(tx, { appId, messageId, trackId, userNos: unseen.map(({ user_no }) => user_no) })
  await tx.query(
    sql`delete from promo_refused
        where app_id = ${appId} and message_id = ${messageId} and user_no = any(${userNos}::bigint[])`,
    'delete-refused-codes',
  )
  return unseen.length
}
