import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

export interface CodesWanted {
  appId: number
  messageId: string
  trackId?: string | undefined
  userNos: readonly number[]
  /** By user: the installations that are to show the code. Without it, it counts as seen. */
  installationNos?: ReadonlyMap<number, readonly number[]>
  /** By user: the guest who became that user, and whose code now belongs to the user. */
  guests?: ReadonlyMap<number, number>
}

export interface GivenCode {
  user_no: number
  code: string
  installation_nos: string[] | null
}

export interface ActiveSet {
  appId: number
  setNo: number
  takenUpTo: string
}

/** Two takers for one message follow one another, so that none gives a second code to a user of the first. */
export async function lockMessage(tx: Transaction, { appId, messageId }: CodesWanted): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`promo-message ${appId} ${messageId}`}, 0))`,
    'promo-lock-message',
  )
}

/** Those who were not deleted since they were read: who is gone gets no code. */
export async function withoutForgotten(tx: Transaction, { appId, userNos }: CodesWanted): Promise<readonly number[]> {
  const rows = await tx.query<{ user_no: number }>(
    sql`select user_no from forgotten_users where app_id = ${appId} and user_no = any(${userNos}::bigint[])`,
    'promo-find-forgotten',
  )
  const forgotten = new Set(rows.map((row) => row.user_no))
  return forgotten.size === 0 ? userNos : userNos.filter((userNo) => !forgotten.has(userNo))
}

export function listGivenCodes(tx: Transaction, { appId, messageId, userNos }: CodesWanted) {
  return tx.query<GivenCode>(
    sql`select user_no, code, installation_nos from promo_given
        where app_id = ${appId} and message_id = ${messageId} and user_no = any(${userNos}::bigint[])`,
    'promo-list-given',
  )
}

/** Transfers the codes of guests who have logged in. */
export async function adoptCodes(tx: Transaction, { appId, messageId, guests }: CodesWanted): Promise<void> {
  if (!guests || guests.size === 0) return
  await tx.query(
    sql`update promo_given g set user_no = k.user_no
        from ${unnestRows([...guests], 'k', {
          user_no: ['bigint', ([userNo]) => userNo],
          guest_user_no: ['bigint', ([, guest]) => guest],
        })}
        where g.app_id = ${appId} and g.message_id = ${messageId} and g.user_no = k.guest_user_no
          and not exists (select from promo_given own where own.app_id = ${appId} and own.message_id = ${messageId} and own.user_no = k.user_no)`,
    'promo-adopt-codes',
  )
}

/** A code that was given before is shown on further installations, or elsewhere. */
export async function recordInstallations(
  tx: Transaction,
  { appId, messageId, installationNos }: CodesWanted,
  given: readonly GivenCode[],
): Promise<void> {
  const changed = given.flatMap(
    ({ user_no, installation_nos: known }): { userNo: number; numbers: string | null }[] => {
      if (known === null) return []
      if (!installationNos) return [{ userNo: user_no, numbers: null }]
      const all = new Set([...known.map(Number), ...(installationNos.get(user_no) ?? [])])
      return all.size === known.length ? [] : [{ userNo: user_no, numbers: asArray([...all]) }]
    },
  )
  if (changed.length === 0) return
  await tx.query(
    sql`update promo_given g set installation_nos = c.numbers::bigint[]
        from ${unnestRows(changed, 'c', {
          user_no: ['bigint', ({ userNo }) => userNo],
          numbers: ['text', ({ numbers }) => numbers],
        })}
        where g.app_id = ${appId} and g.message_id = ${messageId} and g.user_no = c.user_no`,
    'promo-record-installations',
  )
}

function asArray(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`
}

/** A set that is replaced while we wait for its lock is found no more, although another stands in its place: look again. */
export async function lockActiveSet(tx: Transaction, appId: number, trackId: string): Promise<ActiveSet | undefined> {
  for (;;) {
    const [set] = await tx.query<{ set_no: number; taken_up_to: string }>(
      sql`select set_no, taken_up_to from promo_sets
          where app_id = ${appId} and track_id = ${trackId} and state = 'active' for update`,
      'promo-lock-set',
    )
    if (set) return { appId, setNo: set.set_no, takenUpTo: set.taken_up_to }
    const other = await tx.query(
      sql`select from promo_sets where app_id = ${appId} and track_id = ${trackId} and state = 'active'`,
      'promo-find-set',
    )
    if (other.length === 0) return undefined
  }
}

export function readNextCodes(tx: Transaction, { appId, setNo }: ActiveSet, after: string, limit: number) {
  return tx.query<{ code: string; is_given: boolean }>(
    sql`with next as materialized (
          select code from promo_codes where app_id = ${appId} and set_no = ${setNo} and code > ${after} order by code limit ${limit})
        select code, exists (select from promo_given g where g.app_id = ${appId} and g.code = next.code offset 0) as is_given
        from next order by code`,
    'promo-read-next',
  )
}

/** Pairs codes with users; a code that somebody else gives at this moment is left out. */
export function giveCodes(
  tx: Transaction,
  { appId, messageId, installationNos }: CodesWanted,
  { setNo }: ActiveSet,
  codes: string[],
  users: number[],
) {
  const shown = users.slice(0, codes.length).map((user) => installationNos && asArray(installationNos.get(user) ?? []))
  return tx.query<{ user_no: number; code: string }>(
    sql`insert into promo_given (app_id, code, message_id, user_no, set_no, installation_nos)
        select ${appId}, code, ${messageId}, user_no, ${setNo}, shown::bigint[]
        from unnest(${codes}::text[], ${users.slice(0, codes.length)}::bigint[], ${shown}::text[]) as pair(code, user_no, shown)
        on conflict do nothing returning user_no, code`,
    'promo-give',
  )
}

/** Codes that came back to the set; they are not in it any more then. */
export async function takeReturned(tx: Transaction, { appId, setNo }: ActiveSet, limit: number): Promise<string[]> {
  if (limit === 0) return []
  const rows = await tx.query<{ code: string }>(
    sql`delete from promo_returned r
        using (select code from promo_returned where app_id = ${appId} and set_no = ${setNo} order by code limit ${limit}) first
        where r.app_id = ${appId} and r.set_no = ${setNo} and r.code = first.code returning r.code`,
    'promo-take-returned',
  )
  return rows.map(({ code }) => code).sort()
}

export async function moveTakenUpTo(
  tx: Transaction,
  { appId, setNo }: ActiveSet,
  takenUpTo: string,
  given: number,
): Promise<void> {
  await tx.query(
    sql`update promo_sets set taken_up_to = ${takenUpTo}, given = given + ${given} where app_id = ${appId} and set_no = ${setNo}`,
    'promo-move-taken',
  )
}
