import sql from 'sql-template-tag'
import type { Transaction } from '../../base/store/store.ts'
import { adoptionLock } from './adoption-lock.ts'
import type { EventDraft } from './event-draft.ts'
import { plainArray } from './plain-array.ts'

export interface Subject {
  /** Null for a user who is not known yet. */
  user_no: number | null
  /** Null for an event that stays with the user alone, and for an installation that is not there. */
  installation_no: number | null
  /** The installation is not the named user's. */
  is_foreign: boolean
}

/**
 * Whom each event belongs to, in the order of the drafts. By user id it is the installation of the user's newest login;
 * one that is uninstalled or logged out counts when there is no other, and one that is somebody else's now never does
 * [choices 16, 35]. An event without an installation holds the app's adoption lock until the commit.
 */
export function findSubjects(tx: Transaction, drafts: readonly EventDraft[]): Promise<Subject[]> {
  const appIds = new Array<number>(drafts.length)
  const userIds = new Array<string | undefined>(drafts.length)
  const installationIds: (string | null)[] = []
  for (let index = 0; index < drafts.length; index++) {
    const { appId, userId, installationId } = drafts[index] as EventDraft
    appIds[index] = appId
    userIds[index] = userId
    if (installationId !== undefined) {
      while (installationIds.length < index) installationIds.push(null)
      installationIds.push(installationId)
    }
  }
  return tx.query<Subject>(
    sql`select
          case when k.installation_id is null or i.user_no is distinct from u.user_no and i.is_guest and i.login_user_no = u.user_no
            then u.user_no else i.user_no end as user_no,
          case when k.installation_id is null then coalesce(newest.installation_no, earlier.installation_no)
            else i.installation_no end as installation_no,
          k.installation_id is not null and k.user_id is not null and i.user_no is distinct from u.user_no
            and (i.is_guest and i.login_user_no = u.user_no) is not true as is_foreign,
          case when k.installation_id is null and newest.installation_no is null and earlier.installation_no is null
            then pg_advisory_xact_lock_shared(${adoptionLock}, k.app_id) is null end as is_held
        from unnest(${plainArray(appIds)}::int[], ${userIds}::text[], ${plainArray(installationIds)}::uuid[])
             with ordinality as k(app_id, user_id, installation_id, position)
        left join users u on u.app_id = k.app_id and u.user_id = k.user_id
        left join installations i on i.app_id = k.app_id and i.id = k.installation_id
        left join lateral (
          select installation_no from installations
          where app_id = u.app_id and user_no = u.user_no and uninstalled_at is null and k.installation_id is null
          order by logged_in_at desc, installation_no desc limit 1) newest on true
        left join lateral (
          select installation_no from (
            select installation_no, logged_in_at from installations where app_id = u.app_id and user_no = u.user_no
            union all
            select installation_no, logged_in_at from installations
            where app_id = u.app_id and login_user_no = u.user_no and is_guest) own
          where newest.installation_no is null and k.installation_id is null
          order by logged_in_at desc, installation_no desc limit 1) earlier on true
        order by k.position`,
    'find-event-subjects',
  )
}
