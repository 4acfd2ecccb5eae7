import { setImmediate } from 'node:timers/promises'
import { limits } from '../../../base/config.ts'
import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { getAppLook } from '../../accounts/apps/get-app-look.ts'
import type { Draft } from '../accept/draft-message.ts'
import { contentFor } from '../compose/choose-texts.ts'
import { allowedBytes, compilePush } from '../payloads/compile-push.ts'
import { type AppLook, allPushTargets } from '../payloads/compiled-push.ts'
import { boundPushSize } from './push-size-bound.ts'

const smallestLimit = Math.min(...Object.values(allowedBytes))
const measuredPerTurn = 20

/**
 * Refuses a message that is too large to keep, or whose push would be too large on any way: the sender cannot know which devices there are. Texts
 * with templates are measured when they are rendered. Small messages are let through by an upper bound.
 */
export async function checkPushSizes(
  ctx: Context,
  drafts: readonly Draft[],
  { isList = false }: { isList?: boolean } = {},
): Promise<void> {
  let look: AppLook | undefined
  let measured = 0
  for (const [index, draft] of drafts.entries()) {
    const bound = boundPushSize(draft)
    const place = isList ? index : undefined
    if (bringsPush(draft) && bound > smallestLimit) {
      look ??= await getAppLook(ctx)
      for (const language of [undefined, ...Object.keys(draft.body.contents ?? {})]) {
        if (++measured % measuredPerTurn === 0) await setImmediate()
        checkSize(draft, look, { place, language })
      }
    }
    if (bound > limits.messageBytes) checkBytes(draft, place)
  }
}

/** Also what no provider is given: it is stored, listed, and sent over the own connection. */
function checkBytes({ body }: Draft, index: number | undefined): void {
  const bytes = Buffer.byteLength(JSON.stringify(body))
  if (bytes <= limits.messageBytes) return
  const prefix = index === undefined ? '' : `Element ${index}: `
  throw new RequestError(
    'too-large',
    `${prefix}The message takes ${bytes} bytes as JSON; ${limits.messageBytes} are allowed.`,
    index === undefined ? {} : { details: { index } },
  )
}

function checkSize(
  draft: Draft,
  look: AppLook,
  { place: index, language }: { place: number | undefined; language: string | undefined },
): void {
  const content = contentFor(draft.body, { language })
  if (draft.body.contents && boundPushSize({ ...draft, body: content }) <= smallestLimit) return
  const compiled = compilePush({ ...draft, content }, look)
  if (compiled.isPersonal) return
  for (const { provider, platform } of allPushTargets) {
    const push = compiled.render({ provider, platform }, draft.acceptedAt)
    if (push.kind === 'ready') continue
    const prefix = index === undefined ? '' : `Element ${index}: `
    const own = language === undefined ? undefined : { field: `contents.${language}`, language }
    const details = { ...own, provider, platform, bytes: push.bytes, allowed: allowedBytes[provider] }
    throw new RequestError(
      'payload-too-large',
      `${prefix}${own ? `"${own.field}": ` : ''}The notification is too large for ${provider} on ${platform}: ${push.detail}.`,
      { details: index === undefined ? details : { ...details, index } },
    )
  }
}

/** [choice 21] */
function bringsPush({ product, body: { silent, inApp, live } }: Draft): boolean {
  return !live && (product === 'notification' || !(silent || inApp))
}
