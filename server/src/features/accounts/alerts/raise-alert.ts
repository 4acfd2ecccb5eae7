import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { nextId } from '#base/ids.ts'
import type { AlertKind } from './alert.ts'

export interface NewAlert {
  kind: AlertKind
  subject?: string
  /** In plain words: what happened, what it means, what to do. */
  text: string
  /** For programs; never a secret. */
  details?: Record<string, unknown>
}

/** Tells the operator once: while an alert is open, raising it again only refreshes its text. */
export async function raiseAlert(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now' | 'log'>,
  { kind, subject = '', text, details = {} }: NewAlert,
): Promise<{ isNew: boolean }> {
  const at = ctx.now()
  // "xmax = 0" is true of a row that was inserted and false of one that was updated.
  const [row] = await db(ctx).query<{ is_new: boolean }>(sql`
    insert into alerts as a (app_id, alert_id, kind, subject, text, details, raised_at)
    values (${ctx.app.id}, ${nextId(ctx.now, at)}, ${kind}, ${subject}, ${text}, ${JSON.stringify(details)}, ${at})
    on conflict (app_id, kind, subject) where cleared_at is null
    do update set text = excluded.text, details = excluded.details
      where (a.text, a.details) is distinct from (excluded.text, excluded.details)
    returning (xmax = 0) as is_new`)
  const isNew = row?.is_new === true
  if (isNew) ctx.log.warn({ app: ctx.app.label, alert: kind, ...(subject && { subject }) }, text)
  return { isNew }
}
