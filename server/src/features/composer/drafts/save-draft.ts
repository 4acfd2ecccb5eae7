import type { BodyOf, panelSaveDraft as contract, DraftLine } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { countDraftsAlone, type DraftChange, findLine, insertDraft, noDraft, updateDraft } from './draft-store.ts'

/** Of the version that was read: what somebody else has saved since is not written over. */
export async function saveDraft(
  ctx: Context,
  { id, version, name, isNamed, editorId, formVersion, form }: BodyOf<typeof contract> & { id: string },
): Promise<DraftLine> {
  const body = JSON.stringify({ formVersion, form })
  const bytes = Buffer.byteLength(body)
  if (bytes > limits.draftBytes) {
    throw new RequestError('too-large', `The draft takes ${bytes} bytes as JSON; ${limits.draftBytes} are allowed.`)
  }
  const change = { id, name: name.trim(), isNamed, body, editorId, at: ctx.now(), by: ctx.member?.email ?? '' }
  const made = version === 0 ? await addDraft(ctx, change) : undefined
  const saved = made ?? (await updateDraft(ctx, { ...change, version }))
  if (saved) return saved
  const found = await findLine(ctx, id)
  if (!found) throw noDraft()
  throw new RequestError('changed-meanwhile', `${found.updatedBy} has saved this draft since you opened it.`, {
    details: { version: found.version, updatedAt: found.updatedAt, updatedBy: found.updatedBy },
  })
}

function addDraft(ctx: Context, change: DraftChange): Promise<DraftLine | undefined> {
  return inTransaction(ctx, async (tx) => {
    const count = await countDraftsAlone(tx, ctx.app.id)
    if (count < limits.draftsPerApp) return insertDraft(tx, ctx.app.id, change)
    if (await findLine({ ...ctx, tx }, change.id)) return undefined
    throw new RequestError('limit-reached', `The app would have more than ${limits.draftsPerApp} drafts.`)
  })
}
