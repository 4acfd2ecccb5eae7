import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { presentTime } from '#base/store/clock/read-time.ts'
import type { Database, Transaction } from '#base/store/store.ts'
import type { ForgottenUser } from '../installations/users/forget-user.ts'
import { idHash } from '../installations/users/forgotten-users.ts'

/** A deletion that is not done: what older writers may have left since is still to be looked for. */
export interface OpenDeletion {
  appId: number
  deletionId: string
  /** By the database's time. */
  begunAt: Date
  traces: Traces
}

/** Kept as long as the deletion is open. */
export interface Traces {
  user: ForgottenUser
  /** Of the marks, in epoch milliseconds. */
  forgottenAt: number
}

/** From the commit on, whoever writes about these users or installations leaves it, unless his request came later. */
export async function markForgotten(tx: Transaction, user: ForgottenUser, at: Date): Promise<void> {
  const { appId, userIds, userNos, installationNos, installationIds } = user
  await tx.query(sql`
    insert into forgotten_users as f (app_id, id_hash, user_no, forgotten_at)
    select a.app_id, ${idHash(sql`a.alias_secret`, sql`k.id`)} as id_hash, u.user_no, ${at}
    from unnest(${[...new Set([...userIds, ...installationIds])]}::text[]) as k(id)
    join apps a on a.app_id = ${appId}
    left join users u on u.app_id = a.app_id and u.user_id = k.id and u.user_no = any(${userNos}::bigint[])
    order by id_hash
    on conflict (app_id, id_hash) do update
    set user_no = coalesce(excluded.user_no, f.user_no), forgotten_at = greatest(f.forgotten_at, excluded.forgotten_at)`)
  await tx.query(sql`
    insert into forgotten_installations (app_id, installation_no, forgotten_at)
    select ${appId}, installation_no, ${at} from unnest(${installationNos}::bigint[]) as k(installation_no)
    order by installation_no
    on conflict do nothing`)
}

export async function openDeletion(tx: Transaction, traces: Traces): Promise<OpenDeletion> {
  const { appId } = traces.user
  const deletionId = randomUUID()
  const [row] = await tx.query<{ begun_at: Date }>(sql`
    insert into user_deletions (app_id, deletion_id, begun_at, traces)
    values (${appId}, ${deletionId}, ${presentTime}, ${JSON.stringify(traces)})
    returning begun_at`)
  return { appId, deletionId, begunAt: row?.begun_at as Date, traces }
}

/** Answers whether it was still open. */
export async function closeDeletion(tx: Transaction, { appId, deletionId }: OpenDeletion): Promise<boolean> {
  const gone = await tx.query(sql`
    delete from user_deletions where app_id = ${appId} and deletion_id = ${deletionId} returning 1`)
  return gone.length > 0
}

interface Row {
  app_id: number
  deletion_id: string
  begun_at: Date
  traces: Traces
}

/** Those of a user; none unless a process died in the middle of one, or one is under way. */
export async function findOpenDeletions(database: Database, appId: number, userId: string): Promise<OpenDeletion[]> {
  const rows = await database.query<Row>(sql`
    select app_id, deletion_id, begun_at, traces from user_deletions
    where app_id = ${appId} and traces->'user'->'userIds' ? ${userId} order by begun_at`)
  return rows.map(asOpen)
}

/** Those that somebody has begun and not ended for so long. */
export async function listLeftDeletions(database: Database, seconds: number): Promise<OpenDeletion[]> {
  const rows = await database.query<Row>(sql`
    select app_id, deletion_id, begun_at, traces from user_deletions
    where begun_at < peyk_now() - make_interval(secs => ${seconds}) order by begun_at`)
  return rows.map(asOpen)
}

/** A day is longer than any request or delivery is on its way. */
export async function dropOldMarks(database: Database, before: Date): Promise<void> {
  await database.query(sql`delete from forgotten_users where forgotten_at < ${before}`)
  await database.query(sql`delete from forgotten_installations where forgotten_at < ${before}`)
}

function asOpen({ app_id, deletion_id, begun_at, traces }: Row): OpenDeletion {
  return { appId: app_id, deletionId: deletion_id, begunAt: begun_at, traces }
}
