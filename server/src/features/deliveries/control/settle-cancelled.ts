import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { returnCodes } from '../../promo/return-codes.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'

type Job = Pick<Context, 'store' | 'log'> & { signal?: AbortSignal }

interface Row {
  app_id: number
  message_id: string
  track_id: string | null
}

const usersPerCommit = 5_000
const deliveriesPerCommit = 5_000

/**
 * Gives back the promo codes of cancelled messages that nobody can have seen, once nobody sends them any more: then every
 * installation has an end, or is in a batch that was cancelled before anybody took it. Then what is in inboxes ends: no
 * device is given it any more. Codes in there do not go back: a device may be reading them at this moment.
 */
export async function settleCancelled({ store, log, signal }: Job): Promise<void> {
  const rows = await store.query<Row>(
    sql`select r.app_id, r.message_id, m.track_id
        from code_returns r left join messages m on m.app_id = r.app_id and m.id = r.message_id
        where not exists (
          select from delivery_batches b
          where b.app_id = r.app_id and b.message_id = r.message_id and b.state in ('queued', 'paused'))
        limit 100`,
    'list-code-returns',
  )
  for (const row of rows) {
    let returned = 0
    for (let after: number | undefined = 0; after !== undefined && !signal?.aborted; ) {
      const part: { after: number | undefined; returned: number } = await store.transaction((tx) =>
        returnPart(tx, row, after as number),
      )
      after = part.after
      returned += part.returned
    }
    while (!signal?.aborted && (await store.transaction((tx) => endInboxes(tx, row))) === deliveriesPerCommit);
    if (signal?.aborted) return
    await store.query(sql`delete from code_returns where app_id = ${row.app_id} and message_id = ${row.message_id}`)
    if (returned > 0)
      log.info({ messageId: row.message_id, codes: returned }, 'promo codes of a cancelled message went back')
  }
}

async function endInboxes(tx: Transaction, { app_id: appId, message_id: messageId }: Row): Promise<number> {
  const waiting = await tx.query<{ installation_no: number; at: Date }>(
    sql`select installation_no, peyk_now() as at from deliveries
        where app_id = ${appId} and message_id = ${messageId} and state = 'queued' limit ${deliveriesPerCommit}`,
    'list-cancelled-in-inboxes',
  )
  await advanceDeliveries(
    tx,
    waiting.map(({ installation_no: installationNo, at }) => {
      return { appId, messageId, installationNo, state: 'ended', reason: 'cancelled', at }
    }),
  )
  return waiting.length
}

/**
 * An installation got nothing when its delivery ended as cancelled, or it is listed in a cancelled batch that nobody had
 * taken. A batch with a holder, or that was tried without an answer, may have been sent.
 */
async function returnPart(tx: Transaction, { app_id: appId, message_id: messageId, track_id }: Row, after: number) {
  const users = await tx.query<{ user_no: number; is_unseen: boolean }>(sql`
    select g.user_no, g.installation_nos is not null and not exists (
        select from unnest(g.installation_nos) as n(number)
        left join deliveries d on d.app_id = ${appId} and d.message_id = ${messageId} and d.installation_no = n.number
        where case when d.state is null then not exists (
            select from delivery_batches b
            where b.app_id = ${appId} and b.message_id = ${messageId} and b.state = 'cancelled'
              and b.lease_holder is null and not b.was_unclear and n.number = any(b.installation_nos))
          else d.reason is distinct from 'cancelled' end
      ) as is_unseen
    from promo_given g
    where g.app_id = ${appId} and g.message_id = ${messageId} and g.user_no > ${after}
    order by g.user_no limit ${usersPerCommit}`)
  const userNos = users.filter((user) => user.is_unseen).map((user) => user.user_no)
  await returnCodes(tx, { appId, messageId, trackId: track_id ?? undefined, userNos })
  return { after: users.length < usersPerCommit ? undefined : users.at(-1)?.user_no, returned: userNos.length }
}
