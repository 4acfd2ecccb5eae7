import type { AnyNotification, DryRun } from '@peyk/contract'
import sql, { raw } from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { draftMessage } from '../../messages/accept/draft-message.ts'
import { draftElements, draftPersonal } from '../../messages/accept/draft-personal.ts'
import { nameElement } from '../../messages/accept/name-element.ts'
import { checkPushSizes } from '../../messages/check/check-push-size.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import { withoutFallback } from '../../messages/compose/without-fallback.ts'
import { groupKeys, personalKeys, readReceiverKey } from '../../messages/send/read-receivers.ts'
import { readSent } from '../../messages/send/read-sent.ts'
import { listMoments } from '../../messages/series/course/list-moments.ts'
import { readFirst } from '../../messages/series/course/read-first.ts'
import { resolveAudience } from '../../segments/read/resolve-audience.ts'
import { PreviewGate, takeSlot } from './preview-gate.ts'
import { type InTransaction, type ReadPreview, readGroup, readPersonal } from './preview-messages.ts'
import { writePreview } from './write-preview.ts'

export interface PreviewInput {
  sent: AnyNotification | AnyNotification[]
  product: Product
  /** Whom the endpoint sends to: named users, a group, or either. */
  to: 'users' | 'group' | 'either'
}

/** Installations of the app. */
const largeFrom = 20_000

const receiverKeys = { users: personalKeys, group: groupKeys, either: [...personalKeys, ...groupKeys] }

/**
 * What a send would do. All is read in one transaction that cannot write: nothing is sent or stored. The samples are
 * written when it is over, because a text may take long, and a connection would be held meanwhile.
 */
export async function previewSend<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Context,
  { sent, product, to }: PreviewInput & { sent: Sent },
): Promise<Sent extends readonly unknown[] ? DryRun[] : DryRun> {
  const said: AnyNotification | AnyNotification[] = await readSent(ctx, sent)
  const read = await readPreviews(ctx, { sent: said, product, to })
  const previews: DryRun[] = []
  const all = Array.isArray(said) ? said : [said]
  for (const [index, each] of read.entries()) {
    const { repeat, sendAt, values = {} } = all[index] ?? {}
    const preview = await writePreview(ctx.app.id, each, Object.keys(values))
    previews.push(repeat == null ? preview : { ...preview, ...(await listMoments(ctx, { repeat, sendAt })) })
  }
  return (Array.isArray(sent) ? previews : previews[0]) as never
}

async function readPreviews(ctx: Context, { sent, product, to }: PreviewInput): Promise<ReadPreview[]> {
  const acceptance = { appId: ctx.app.id, product, at: ctx.now(), clock: ctx.now }
  if (Array.isArray(sent)) {
    const times = await Promise.all(sent.map((each, index) => nameElement(index, () => readFirst(ctx, each))))
    const drafts = await draftElements(sent, acceptance)
    await checkPushSizes(ctx, drafts, { isList: true })
    const mayBeLarge = drafts.some(({ userIds }) => userIds === undefined)
    return inSnapshot(ctx, { mayBeLarge }, (inner) => readPersonal(inner, drafts, times))
  }
  const when = await readFirst(ctx, sent)
  const key = readReceiverKey(sent, receiverKeys[to])
  if (!groupKeys.includes(key)) {
    const draft = draftPersonal(sent, acceptance)
    await checkPushSizes(ctx, [draft])
    return inSnapshot(ctx, { mayBeLarge: draft.userIds === undefined }, (inner) => readPersonal(inner, [draft], [when]))
  }
  const draft = draftMessage(withoutFallback(sent), acceptance)
  await checkPushSizes(ctx, [draft])
  return inSnapshot(ctx, { mayBeLarge: true }, async (inner) => [
    await readGroup(inner, draft, await resolveAudience(inner, { [key]: sent[key] }), when),
  ])
}

async function inSnapshot<T>(
  ctx: Context,
  { mayBeLarge }: { mayBeLarge: boolean },
  read: (inner: InTransaction) => Promise<T>,
): Promise<T> {
  const isLimited = mayBeLarge && (await isLarge(ctx))
  const begin = <R>(work: (tx: Transaction) => Promise<R>) =>
    ctx.store.transaction(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read, read only`)
      return work(tx)
    })
  if (!isLimited) return begin((tx) => read({ ...ctx, tx }))
  return PreviewGate.of(ctx.store).pass(ctx.app.id, () =>
    begin(async (tx) => ((await takeSlot(tx)) ? read({ ...ctx, tx }) : undefined)),
  )
}

/** Whether a dry run over all of the app's installations takes more than a moment. */
async function isLarge({ app, store }: Context): Promise<boolean> {
  const [row] = await store.query<{ is_large: boolean }>(
    sql`select exists (select from installations where app_id = ${app.id} offset ${raw(String(largeFrom))}) as is_large`,
    'is-app-large',
  )
  return row?.is_large ?? false
}
