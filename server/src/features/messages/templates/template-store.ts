import type { Template, TemplateMessage } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { TimeAndName } from '#base/page-cursor.ts'
import type { Transaction } from '#base/store/store.ts'

interface Row {
  template_id: string
  name: string
  body: TemplateMessage
  created_at: Date
  updated_at: Date
  updated_by: string
}

type Reader = Pick<Context, 'app' | 'store' | 'tx' | 'member'>

const columns = sql`template_id, name, body, created_at, updated_at, updated_by`

/** Addresses of members are for members only. */
function readRow({ member }: Pick<Context, 'member'>, row: Row): Template {
  return {
    id: row.template_id,
    name: row.name,
    message: row.body,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    ...(member && { updatedBy: row.updated_by }),
  }
}

/** One at a time adds a template or changes a name: their number, ids and names are looked at before. */
export async function lockTemplates(tx: Transaction, appId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`templates ${appId}`}, 0))`)
}

export async function countTemplates(tx: Transaction, appId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from message_templates where app_id = ${appId}`,
  )
  return row?.count ?? 0
}

export async function findTemplate(ctx: Reader, id: string): Promise<Template | undefined> {
  const [row] = await db(ctx).query<Row>(
    sql`select ${columns} from message_templates where app_id = ${ctx.app.id} and template_id = ${id}`,
  )
  return row && readRow(ctx, row)
}

export async function findIdByName(tx: Transaction, appId: number, name: string): Promise<string | undefined> {
  const [row] = await tx.query<{ template_id: string }>(
    sql`select template_id from message_templates where app_id = ${appId} and name = ${name}`,
  )
  return row?.template_id
}

/** Of these ids, those that are taken. */
export async function findTakenIds(tx: Transaction, appId: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ template_id: string }>(
    sql`select template_id from message_templates where app_id = ${appId} and template_id = any(${ids}::text[])`,
  )
  return new Set(rows.map((row) => row.template_id))
}

export interface TemplateQuery {
  search: string
  after: TimeAndName | undefined
  limit: number
}

/** Newest first. */
export async function findTemplates(ctx: Reader, { search, after, limit }: TemplateQuery): Promise<Template[]> {
  const words = search.trim()
  const matching =
    words === ''
      ? empty
      : sql`and (position(lower(${words}) in lower(name)) > 0 or position(lower(${words}) in template_id) > 0)`
  const following = after ? sql`and (created_at, template_id) < (${new Date(after.time)}, ${after.name})` : empty
  const rows = await db(ctx).query<Row>(
    sql`select ${columns} from message_templates where app_id = ${ctx.app.id} ${matching} ${following}
        order by created_at desc, template_id desc limit ${limit}`,
  )
  return rows.map((row) => readRow(ctx, row))
}

export interface StoredMessage {
  id: string
  message: TemplateMessage
}

/** What the templates with these ids say. */
export async function findMessages(ctx: Reader, ids: readonly string[]): Promise<StoredMessage[]> {
  return db(ctx).query<StoredMessage>(
    sql`select template_id as id, body as message from message_templates
        where app_id = ${ctx.app.id} and template_id = any(${ids}::text[])`,
  )
}

export interface TemplateChange {
  name: string
  message: TemplateMessage
  at: Date
  by: string
}

type Writer = Pick<Context, 'app' | 'member'>

export async function insertTemplate(
  tx: Transaction,
  ctx: Writer,
  id: string,
  { name, message, at, by }: TemplateChange,
): Promise<Template> {
  const [row] = await tx.query<Row>(
    sql`insert into message_templates (app_id, template_id, name, body, created_at, created_by, updated_at, updated_by)
        values (${ctx.app.id}, ${id}, ${name}, ${JSON.stringify(message)}, ${at}, ${by}, ${at}, ${by})
        returning ${columns}`,
  )
  return readRow(ctx, row as Row)
}

/** Undefined when it is gone. */
export async function updateTemplate(
  tx: Transaction,
  ctx: Writer,
  id: string,
  { name, message, at, by }: TemplateChange,
): Promise<Template | undefined> {
  const [row] = await tx.query<Row>(
    sql`update message_templates set name = ${name}, body = ${JSON.stringify(message)}, updated_at = ${at}, updated_by = ${by}
        where app_id = ${ctx.app.id} and template_id = ${id} returning ${columns}`,
  )
  return row && readRow(ctx, row)
}

export async function removeTemplate(ctx: Reader, id: string): Promise<{ id: string; name: string } | undefined> {
  const [row] = await db(ctx).query<{ id: string; name: string }>(
    sql`delete from message_templates where app_id = ${ctx.app.id} and template_id = ${id}
        returning template_id as id, name`,
  )
  return row
}
