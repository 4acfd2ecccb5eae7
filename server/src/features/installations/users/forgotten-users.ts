import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'

/** What stays of the ids of a user who was deleted: enough to know them again, and not to tell who it was. */
export function idHash(secret: Sql, id: Sql): Sql {
  return sql`sha256(${secret} || convert_to(${id}, 'UTF8'))`
}

export interface NamedUser {
  appId: number
  /** Of the user, or of an installation. */
  id: string
  /** When the request came that names it. */
  begunAt: Date
}

/**
 * For each in order, whether the user was deleted after the request came: then nothing of it is written. A transaction
 * asks before it writes. Should the user be deleted after it asked, the deletion waits for it: see privacy/delete-user.ts.
 */
export async function findForgottenUsers(database: Database, named: readonly NamedUser[]): Promise<boolean[]> {
  const nobody = named.map(() => false)
  if (named.length === 0 || !(await hasForgotten(database))) return nobody
  const rows = await database.query<{ is_forgotten: boolean }>(
    sql`select exists (
          select from forgotten_users f join apps a on a.app_id = f.app_id
          where f.app_id = k.app_id and f.id_hash = ${idHash(sql`a.alias_secret`, sql`k.id`)}
            and f.forgotten_at >= k.begun_at) as is_forgotten
        from ${unnestRows(
          named,
          'k',
          {
            app_id: ['int', ({ appId }) => appId],
            id: ['text', ({ id }) => id],
            begun_at: ['timestamptz', (each) => each.begunAt.toISOString()],
          },
          { position: 'position' },
        )}
        order by k.position`,
    'find-forgotten-users',
  )
  return rows.map((row) => row.is_forgotten)
}

async function hasForgotten(database: Database): Promise<boolean> {
  const [row] = await database.query<{ has_some: boolean }>(
    sql`select exists (select from forgotten_users) as has_some`,
    'has-forgotten-users',
  )
  return row?.has_some === true
}

/** Of a row with these numbers: the installation was deleted with its user. For who writes what he read long before. */
export function isForgottenInstallation(appId: Sql, installationNo: Sql): Sql {
  return sql`exists (
    select from forgotten_installations f where f.app_id = ${appId} and f.installation_no = ${installationNo} offset 0)`
}
