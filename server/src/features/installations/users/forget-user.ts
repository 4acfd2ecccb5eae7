import sql, { empty, type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'

/** Somebody of whom nothing is to stay. */
export interface ForgottenUser {
  appId: number
  /** The user, and the guests of whom nothing but the user's installations is known; none for a user who only was written to. */
  userNos: number[]
  userIds: string[]
  installationNos: number[]
  installationIds: string[]
  /** Messages to nobody else. */
  messageIds: string[]
  /** Messages to others, too. */
  sharedMessageIds: string[]
  /**
   * Only what came until then, by the clock of the processes, or was stored until then, by the database's, is looked for
   * by the user's id: what came later is of somebody of the same name.
   */
  until: { came: Date; stored: Date } | undefined
}

/** Matches no user. The change itself stays recorded, so that earlier messages do not reach the next user. */
const nobody = 0

/** Tags, attributes, installations and the users themselves. An installation that is somebody else's now stays. */
export async function forgetUser(tx: Transaction, user: ForgottenUser) {
  const { appId, userNos, userIds, installationNos, until } = user
  const ofUser = sql`app_id = ${appId} and user_no = any(${userNos}::bigint[])`
  const ofInstallation = sql`app_id = ${appId} and installation_no = any(${installationNos}::bigint[])`
  const tags = await removeRows(tx, sql`delete from user_tags where ${ofUser}`)
  const userAttributes = await removeRows(tx, sql`delete from user_attributes where ${ofUser}`)
  const ownAttributes = await removeRows(tx, sql`delete from installation_attributes where ${ofInstallation}`)
  const uninstalls = await removeRows(
    tx,
    sql`delete from uninstalls
        where app_id = ${appId} and (installation_no = any(${installationNos}::bigint[]) or user_id = any(${userIds}::text[])
          ${until ? sql`and uninstalled_at <= ${until.came}` : empty})`,
  )
  await removeRows(tx, sql`delete from installation_details where ${ofInstallation}`)
  await removeRows(tx, sql`delete from past_tokens where ${ofInstallation}`)
  await removeRows(tx, sql`delete from connections where ${ofInstallation}`)
  await removeRows(tx, sql`delete from installation_user_changes where ${ofInstallation}`)
  await removeRows(
    tx,
    sql`update installation_user_changes set from_user_no = ${nobody}, guest_user_no = null
        where app_id = ${appId} and from_user_no = any(${userNos}::bigint[])`,
  )
  const installations = await removeRows(tx, sql`delete from installations where ${ofInstallation}`)
  await tx.query(sql`
    update installations set login_user_no = null where app_id = ${appId} and login_user_no = any(${userNos}::bigint[])`)
  const users = await removeRows(tx, sql`delete from users where ${ofUser}`)
  return { users, installations, tags, attributes: userAttributes + ownAttributes, uninstalls }
}

/** Answers how many they were. */
export async function removeRows(tx: Transaction, statement: Sql): Promise<number> {
  const { rowCount } = await tx.client.query(statement.text, statement.values)
  return rowCount ?? 0
}
