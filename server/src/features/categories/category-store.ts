import type { Category } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'

interface Row {
  id: string
  name: Record<string, string>
  description: Record<string, string> | null
  created_at: Date
}

function readRow({ id, name, description, created_at }: Row): Category {
  return { id, name, ...(description && { description }), createdAt: created_at.getTime() }
}

export async function readCategories(database: Database, appId: number): Promise<Category[]> {
  const rows = await database.query<Row>(
    sql`select id, name, description, created_at from categories where app_id = ${appId} order by created_at, id`,
    'read-categories',
  )
  return rows.map(readRow)
}

/** One at a time adds categories: their number is looked at before. */
export async function lockCategories(tx: Transaction, appId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`categories ${appId}`}, 0))`)
}

export async function insertCategory(tx: Transaction, appId: number, category: Category): Promise<void> {
  const { id, name, description, createdAt } = category
  await tx.query(sql`
    insert into categories (app_id, id, name, description, created_at)
    values (${appId}, ${id}, ${JSON.stringify(name)}, ${description ? JSON.stringify(description) : null}, ${new Date(createdAt)})`)
}

/** Returns which of these exist, and keeps them from being deleted until the transaction ends. */
export async function lockExisting(tx: Transaction, appId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`select id from categories where app_id = ${appId} and id = any(${[...ids]}::text[]) order by id for key share`,
  )
  return rows.map(({ id }) => id)
}

/** What is not given stays as it is. */
export async function updateCategory(
  database: Database,
  appId: number,
  { id, name, description }: { id: string } & Partial<Pick<Category, 'name' | 'description'>>,
): Promise<Category | undefined> {
  const [row] = await database.query<Row>(sql`
    update categories
    set name = coalesce(${name ? JSON.stringify(name) : null}::jsonb, name),
      description = coalesce(${description ? JSON.stringify(description) : null}::jsonb, description)
    where app_id = ${appId} and id = ${id}
    returning id, name, description, created_at`)
  return row && readRow(row)
}

/** Sends to groups that name no category have this one. Asked when its row is locked: who chooses it locks the row, too. */
export async function isOfGroups(tx: Transaction, appId: number, id: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from apps where app_id = ${appId} and settings->>'groupCategory' = ${id}`)
  return rows.length > 0
}

/**
 * Also deletes the users' choices, because a later category with the same name is a different one. The id stays known,
 * because messages still name it.
 */
export async function removeCategory(tx: Transaction, appId: number, id: string): Promise<boolean> {
  const removed = await tx.query(sql`delete from categories where app_id = ${appId} and id = ${id} returning 1`)
  if (removed.length > 0) {
    await tx.query(sql`delete from user_preferences where app_id = ${appId} and category = ${id}`)
    await tx.query(sql`
      insert into deleted_categories (app_id, id, deleted_at) values (${appId}, ${id}, peyk_now())
      on conflict (app_id, id) do update set deleted_at = excluded.deleted_at`)
  }
  return removed.length > 0
}
