import type { DraftLine, StoredDraft } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'

export interface DraftRow {
  draft_id: string
  name: string
  is_named: boolean
  version: number
  updated_at: Date
  updated_by: string
}

type Reader = Pick<Context, 'app' | 'store' | 'tx'>

export const lineColumns = sql`draft_id, name, is_named, version, updated_at, updated_by`

export function readLine(row: DraftRow): DraftLine {
  return {
    id: row.draft_id,
    name: row.name,
    isNamed: row.is_named,
    version: row.version,
    updatedAt: row.updated_at.getTime(),
    updatedBy: row.updated_by,
  }
}

export function noDraft(): RequestError {
  return new RequestError('not-found', 'This draft was sent or deleted.')
}

export async function findLine(ctx: Reader, id: string): Promise<DraftLine | undefined> {
  const [row] = await db(ctx).query<DraftRow>(
    sql`select ${lineColumns} from send_drafts where app_id = ${ctx.app.id} and draft_id = ${id}`,
  )
  return row && readLine(row)
}

export async function findDraft(ctx: Reader, id: string): Promise<StoredDraft | undefined> {
  const [row] = await db(ctx).query<DraftRow & { body: Pick<StoredDraft, 'formVersion' | 'form'> }>(
    sql`select ${lineColumns}, body from send_drafts where app_id = ${ctx.app.id} and draft_id = ${id}`,
  )
  return row && { ...readLine(row), ...row.body }
}

/** One at a time adds a draft: their number is looked at before. */
export async function countDraftsAlone(tx: Transaction, appId: number): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`drafts ${appId}`}, 0))`)
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from send_drafts where app_id = ${appId}`,
  )
  return row?.count ?? 0
}

export interface DraftChange {
  id: string
  name: string
  isNamed: boolean
  body: string
  editorId: string
  at: Date
  by: string
}

/** Undefined when there is one with this id. */
export async function insertDraft(tx: Transaction, appId: number, draft: DraftChange): Promise<DraftLine | undefined> {
  const { id, name, isNamed, body, editorId, at, by } = draft
  const [row] = await tx.query<DraftRow>(
    sql`insert into send_drafts
          (app_id, draft_id, name, is_named, body, version, editor_id, created_at, created_by, updated_at, updated_by)
        values (${appId}, ${id}, ${name}, ${isNamed}, ${body}, 1, ${editorId}, ${at}, ${by}, ${at}, ${by})
        on conflict do nothing returning ${lineColumns}`,
  )
  return row && readLine(row)
}

/**
 * Undefined when it is not of this version any more. It is still the same page's when that saved it last: the answer was
 * lost. So it is when the member has saved the same from a page that is closed by now.
 */
export async function updateDraft(
  ctx: Reader,
  { id, name, isNamed, body, editorId, at, by, version }: DraftChange & { version: number },
): Promise<DraftLine | undefined> {
  const [row] = await db(ctx).query<DraftRow>(
    sql`update send_drafts set name = ${name}, is_named = ${isNamed}, body = ${body}, version = version + 1,
          editor_id = ${editorId}, updated_at = ${at}, updated_by = ${by}
        where app_id = ${ctx.app.id} and draft_id = ${id} and (
          version = ${version} or editor_id = ${editorId}
          or (version > ${version} and updated_by = ${by} and name = ${name} and is_named = ${isNamed} and body = ${body}::jsonb))
        returning ${lineColumns}`,
  )
  return row && readLine(row)
}

export async function removeDraft(ctx: Reader, id: string): Promise<{ id: string; name: string } | undefined> {
  const [row] = await db(ctx).query<{ id: string; name: string }>(
    sql`delete from send_drafts where app_id = ${ctx.app.id} and draft_id = ${id} returning draft_id as id, name`,
  )
  return row
}
