import { type AnyNotification, type LanguageTexts, show, type TemplateMessage } from '@peyk/contract'
import { limits } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { findMessages } from './template-store.ts'

/**
 * Messages that name a template, with what it says where they say nothing. All at once: an array of messages may name the
 * same few templates again and again, and must not become larger by them than it could have come.
 */
export async function fillFromTemplate<Sent extends AnyNotification | AnyNotification[]>(
  ctx: Context,
  sent: Sent,
): Promise<Sent> {
  const all: AnyNotification[] = Array.isArray(sent) ? sent : [sent]
  const ids = new Set(all.flatMap(({ templateId }) => templateId ?? []))
  if (ids.size === 0) return sent
  const found = new Map((await findMessages(ctx, [...ids])).map(({ id, message }) => [id, message]))
  const sizes = new Map([...found].map(([id, message]) => [id, Buffer.byteLength(JSON.stringify(message))]))
  let bytes = 0
  const filled = all.map(({ templateId, ...own }, index) => {
    if (templateId === undefined) return own
    const message = found.get(templateId)
    const place = Array.isArray(sent) ? index : undefined
    if (!message) throw unknownTemplate(templateId, place)
    bytes += sizes.get(templateId) ?? 0
    return { ...withoutReplaced(message, own), ...own, values: own.values ?? {} }
  })
  if (bytes > limits.listBodyBytes) {
    throw new RequestError(
      'too-large',
      `With their templates the messages take more than ${limits.listBodyBytes} bytes. Send them in several requests.`,
    )
  }
  return (Array.isArray(sent) ? filled : filled[0]) as Sent
}

const replaced = ['content', 'alertText', 'data', 'notification', 'fallback'] as const

/** [ADR-0186] What a send says itself, it says in all languages, unless it brings its own. */
function withoutReplaced({ contents, ...message }: TemplateMessage, own: AnyNotification): TemplateMessage {
  if (!contents || own.contents) return message
  const said = replaced.filter((key) => own[key] !== undefined)
  const left = Object.entries(contents).flatMap(([language, texts]) => {
    const kept = Object.entries(texts).filter(([key]) => !said.some((each) => each === key))
    return kept.length > 0 ? [[language, Object.fromEntries(kept) as LanguageTexts] as const] : []
  })
  return left.length > 0 ? { ...message, contents: Object.fromEntries(left) } : message
}

function unknownTemplate(id: string, index: number | undefined): RequestError {
  const prefix = index === undefined ? '' : `Element ${index}: `
  return new RequestError('invalid-request', `${prefix}"templateId": there is no template with the id ${show(id)}.`, {
    details: { field: 'templateId', ...(index !== undefined && { index }) },
  })
}
