import { takeTurns } from '#base/concurrency/turns.ts'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { getAppLook } from '../../accounts/apps/get-app-look.ts'
import type { Draft } from '../accept/draft-message.ts'
import { contentFor, type TextChoice } from '../compose/choose-texts.ts'
import { allowedBytes, compilePush } from '../payloads/compile-push.ts'
import { allWordings, hasWordings } from '../payloads/compile-wordings.ts'
import { type AppLook, allPushTargets } from '../payloads/compiled-push.ts'
import { boundPushSize } from './push-size-bound.ts'

const smallestLimit = Math.min(...Object.values(allowedBytes))

/**
 * Refuses a message that is too large to keep, or whose push would be too large on any way: the sender cannot know
 * which devices there are. Texts with templates are measured when they are rendered. Small messages are let through by
 * an upper bound.
 */
export async function checkPushSizes(
  ctx: Context,
  drafts: readonly Draft[],
  { isList = false }: { isList?: boolean } = {},
): Promise<void> {
  let look: AppLook | undefined
  const nextTurn = takeTurns()
  for (const [index, draft] of drafts.entries()) {
    const bound = boundPushSize(draft)
    const place = isList ? index : undefined
    if (bringsPush(draft) && bound > smallestLimit) {
      look ??= await getAppLook(ctx)
      for (const choice of allWordings(draft.body)) {
        await nextTurn()
        checkSize(draft, look, place, choice)
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

function checkSize(draft: Draft, look: AppLook, index: number | undefined, choice: TextChoice): void {
  const content = contentFor(draft.body, choice)
  if (hasWordings(draft.body) && boundPushSize({ ...draft, body: content }) <= smallestLimit) return
  const compiled = compilePush({ ...draft, content }, look)
  if (compiled.isPersonal) return
  for (const { provider, platform } of allPushTargets) {
    const push = compiled.render({ provider, platform }, draft.acceptedAt)
    if (push.kind === 'ready') continue
    const prefix = index === undefined ? '' : `Element ${index}: `
    const own = placeOf(draft, choice)
    const details = { ...own, provider, platform, bytes: push.bytes, allowed: allowedBytes[provider] }
    throw new RequestError(
      'payload-too-large',
      `${prefix}${own ? `"${own.field}": ` : ''}The notification is too large for ${provider} on ${platform}: ${push.detail}.`,
      { details: index === undefined ? details : { ...details, index } },
    )
  }
}

/** Where the texts of this choice stand, for the caller; undefined for the plain ones. */
function placeOf({ body: { variants = [] } }: Draft, { variant, language }: TextChoice) {
  const place = variants.findIndex(({ name }) => name === variant)
  const own = variants[place]
  if (!own && language === undefined) return undefined
  const inLanguage = language !== undefined && (!own || own.contents?.[language]) ? [`contents.${language}`] : []
  return {
    field: [...(own ? [`variants[${place}]`] : []), ...inLanguage].join('.'),
    ...(language !== undefined && { language }),
    ...(own && { variant: own.name }),
  }
}

/** [sending.md#delivery-channels] */
function bringsPush({ product, body: { silent, inApp, live } }: Draft): boolean {
  return !live && (product === 'notification' || !(silent || inApp))
}
