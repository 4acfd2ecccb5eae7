import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Whether the panel shows the first steps of the app, to the whole team. */
export async function changeChecklist(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { isDismissed }: contract.BodyOf<typeof contract.panelChangeChecklist>,
): Promise<contract.AnswerOf<typeof contract.panelChangeChecklist>> {
  await db(ctx).query(sql`
    update apps set settings = settings || ${JSON.stringify({ isChecklistDismissed: isDismissed })}
    where app_id = ${ctx.app.id}`)
  return { isDismissed }
}
