import sql from 'sql-template-tag'
import { plainArray } from '#base/store/plain-array.ts'
import type { Transaction } from '#base/store/store.ts'
import { adoptionLock } from '../adoption/adoption-lock.ts'
import type { EventDraft } from '../event.ts'
import { installationOfUser } from './installation-of-user.ts'

export interface Subject {
  /** Null for a user who is not known yet. */
  user_no: number | null
  /** Null for an event that stays with the user alone, and for an installation that is not there. */
  installation_no: number | null
  /** The installation is not the named user's. */
  is_foreign: boolean
}

/** Whom each event belongs to, in the order of the drafts. Who has several events is looked up once. */
export async function findSubjects(tx: Transaction, drafts: readonly EventDraft[]): Promise<Subject[]> {
  const places = new Array<number>(drafts.length)
  const seen = new Map<string, number>()
  const appIds: number[] = []
  const userIds: (string | undefined)[] = []
  const installationIds: (string | null)[] = []
  let hasInstallation = false
  for (let index = 0; index < drafts.length; index++) {
    const { appId, userId, installationId } = drafts[index] as EventDraft
    const key = installationId === undefined ? `${appId} ${userId}` : `${appId} ${userId} ${installationId}`
    let place = seen.get(key)
    if (place === undefined) {
      place = appIds.push(appId) - 1
      userIds.push(userId)
      installationIds.push(installationId ?? null)
      if (installationId !== undefined) hasInstallation = true
      seen.set(key, place)
    }
    places[index] = place
  }
  const found = await lookUp(tx, appIds, userIds, hasInstallation ? installationIds : [])
  return places.map((place) => found[place] as Subject)
}

/** For an event that has no installation the app's adoption lock is held until the commit. */
function lookUp(
  tx: Transaction,
  appIds: number[],
  userIds: (string | undefined)[],
  installationIds: (string | null)[],
): Promise<Subject[]> {
  return tx.query<Subject & { is_held: boolean | null }>(
    sql`select user_no, installation_no, is_foreign,
          case when installation_no is null and not is_named
            then pg_advisory_xact_lock_shared(${adoptionLock}, app_id) is null end as is_held
        from (
          select k.position, k.app_id, k.installation_id is not null as is_named,
            case when k.installation_id is null or i.user_no <> u.user_no and i.is_guest and i.login_user_no = u.user_no
              then u.user_no else i.user_no end as user_no,
            case when k.installation_id is not null then i.installation_no
              else ${installationOfUser} end as installation_no,
            k.installation_id is not null and k.user_id is not null and i.user_no is distinct from u.user_no
              and (i.is_guest and i.login_user_no = u.user_no) is not true as is_foreign
          from unnest(${plainArray(appIds)}::int[], ${userIds}::text[], ${plainArray(installationIds)}::uuid[])
               with ordinality as k(app_id, user_id, installation_id, position)
          left join users u on u.app_id = k.app_id and u.user_id = k.user_id
          left join installations i on i.app_id = k.app_id and i.id = k.installation_id
          offset 0) found
        order by position`,
    'find-event-subjects',
  )
}
