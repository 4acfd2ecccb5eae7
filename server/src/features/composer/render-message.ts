import type { ComposedMessage, RenderedTexts } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { preferencesUrlFor } from '../categories/preferences/preference-link.ts'
import { readAttributes } from '../deliveries/dispatch/read-recipients.ts'
import { readSampleCode } from '../deliveries/dry-run/sample-code.ts'
import { isKnownUser } from '../installations/users/is-known-user.ts'
import { chooseTexts, contentFor } from '../messages/compose/choose-texts.ts'
import { composeMessage, type MessageContent } from '../messages/compose/compose-message.ts'
import { fillTexts } from '../messages/compose/fill-texts.ts'
import { textsAndSms } from '../messages/compose/message-texts.ts'
import { isTemplate } from '../messages/rendering/template-engine.ts'
import { bindValues } from '../messages/values/bind-values.ts'
import { findPerson } from './find-person.ts'

export interface RenderInput extends ComposedMessage {
  for: { userId: string; language?: string; variant?: string }
}

/** The texts of a message, finished or not, as this user would read them. No code is taken. */
export async function renderMessage(
  ctx: Context,
  { for: { userId, language, variant }, product: _, ...sent }: RenderInput,
): Promise<RenderedTexts> {
  const row = await findPerson(ctx, userId)
  if (!row) {
    const isKnown = await isKnownUser(ctx, userId)
    const message = isKnown ? `The user "${userId}" has no device.` : `No user has the id "${userId}".`
    throw new RequestError('not-found', message, { details: { field: 'for.userId' } })
  }
  const attributes = (await readAttributes(db(ctx), ctx.app.id, [row], 'all')).get(row.installation_no) ?? {}
  const promoCode = await readSampleCode(db(ctx), ctx.app.id, sent.trackId)
  const message = composeMessage(bindValues({ ...sent, values: sent.values ?? {} }))
  const choice = chooseTexts(message, language ?? row.language, variant ?? message.variants?.[0]?.name)
  const content = contentFor(message, choice)
  const { texts } = await fillTexts(ctx.app.id, content, {
    userId: row.user_id,
    installationId: row.installation_id,
    deviceType: row.device_type,
    attributes,
    promoCode,
    preferencesUrl: preferencesUrlFor(ctx.external, { appId: ctx.app.id, userId: row.user_id }),
  })
  const written = writtenByValues(contentFor(composeMessage(sent), choice), content)
  return { texts: [...texts.map(({ needsPromoCode: _own, ...text }) => text), ...written] }
}

/** Those that their values alone have made a plain text. */
function writtenByValues(typed: MessageContent, bound: MessageContent): RenderedTexts['texts'] {
  const templates = new Set([...textsAndSms(typed)].flatMap(({ field, text }) => (isTemplate(text) ? [field] : [])))
  return [...textsAndSms(bound)].flatMap(({ field, text }) =>
    templates.has(field) && !isTemplate(text) ? [{ field, text }] : [],
  )
}
