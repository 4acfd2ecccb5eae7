import { joinAttributes } from '../rendering/needed-values.ts'
import { needsSlowTexts, renderSlowTexts } from '../rendering/render-slow-texts.ts'
import { apnsPayload } from './apns.ts'
import { compileWordings, hasWordings } from './compile-wordings.ts'
import type { AppLook, CompiledPush, Platform, PushMessage, Recipient, RenderedPush } from './compiled-push.ts'
import { fcmMessage } from './fcm.ts'
import { cutForm, fillForm, holeFor, type JsonForm } from './json-form.ts'
import type { Payload } from './payload.ts'
import { type PersonalText, RefusedText, renderText, scopeOf, takeOutTemplates } from './personal-texts.ts'
import { webPushPayload } from './web-push.ts'

type Provider = Payload['provider']

/** FCM and Apple say 4096. An encrypted web push has 4096 too, of which RFC 8291 leaves this much for the text. */
export const allowedBytes: Record<Provider, number> = { fcm: 4096, apns: 4096, webpush: 3993 }

const maxFcmTtlSeconds = 2_419_200
const ttl = 'ttl'

/** What one provider is given on one platform, with holes for what differs. */
interface PayloadForm {
  json: JsonForm
  asPayload(json: string): Payload
  /** The last one rendered, where it is the same for everybody, and for which ttl. */
  shared?: { ttlSeconds: number | undefined; push: RenderedPush }
}

/** Parses templates and writes the fixed parts once for each wording; every payload is made on the first use. */
export function compilePush(message: PushMessage, look: AppLook): CompiledPush {
  if (!hasWordings(message.content)) return compileOne(message, look)
  const { all, of, ...common } = compileWordings(message, (each) => compileOne(each, look))
  return {
    ...common,
    isPersonal: true,
    // [ADR-0186] In whichever wording it stands.
    needsPromoCode: all.some(({ needsPromoCode }) => needsPromoCode),
    render: (target, at, recipient) => of(recipient).render(target, at, recipient),
  }
}

function compileOne(message: PushMessage, look: AppLook): CompiledPush {
  const { content, texts } = takeOutTemplates(message.content)
  const open = { ...message, content }
  const forms = new Map<string, PayloadForm>()
  const formFor = (provider: Provider, platform: Platform): PayloadForm => {
    const key = provider === 'fcm' ? `fcm ${platform}` : provider
    const form = forms.get(key) ?? createForm(open, look, provider, platform)
    forms.set(key, form)
    return form
  }
  const places = (['fcm', 'apns', 'webpush'] as const).flatMap((provider) =>
    texts.length === 0 ? [] : formFor(provider, 'android').json.holes.map(({ name }) => Number(name)),
  )
  const inPush = texts.filter((_, index) => places.includes(index))
  const isPersonal = inPush.length > 0

  return {
    isPersonal,
    attributes: joinAttributes(inPush.map(({ needs }) => needs.attributes)),
    // [promo-codes.md#who-gets-which-code] Also for a text that only the inbox shows.
    needsPromoCode: texts.some(({ needs }) => needs.promoCode),
    needsSlowTexts: (recipients) => needsSlowTexts(inPush, recipients),
    renderSlowTexts: (appId, recipients) => renderSlowTexts(appId, inPush, recipients),
    render({ provider, platform }, at, recipient) {
      const form = formFor(provider, platform)
      const ttlSeconds = form.json.holes.some(({ name }) => name === ttl) ? fcmTtl(message.expiresAt, at) : undefined
      if (isPersonal) {
        if (!recipient) throw new Error('A message with templates is rendered for somebody.')
        return renderFor(form, texts, ttlSeconds, recipient)
      }
      if (!form.shared || form.shared.ttlSeconds !== ttlSeconds) {
        form.shared = { ttlSeconds, push: renderFor(form, texts, ttlSeconds) }
      }
      return form.shared.push
    },
  }
}

function renderFor(
  form: PayloadForm,
  texts: PersonalText[],
  ttlSeconds: number | undefined,
  recipient?: Recipient,
): RenderedPush {
  const known = new Map([[ttl, String(ttlSeconds)]])
  const scope = recipient && scopeOf(recipient)
  const textOf = (name: string): string => {
    const text =
      known.get(name) ?? renderText(texts[Number(name)] as PersonalText, recipient as Recipient, scope as object)
    known.set(name, text)
    return text
  }
  try {
    const { json, bytes } = fillForm(form.json, textOf)
    const payload = form.asPayload(json)
    const allowed = allowedBytes[payload.provider]
    if (bytes > allowed) return { kind: 'refused', detail: `it has ${bytes} bytes, allowed are ${allowed}`, bytes }
    return { kind: 'ready', payload, bytes }
  } catch (error) {
    if (error instanceof RefusedText) return { kind: 'refused', detail: error.message }
    throw error
  }
}

function createForm(message: PushMessage, look: AppLook, provider: Provider, platform: Platform): PayloadForm {
  if (provider === 'fcm') {
    const json = JSON.stringify(fcmMessage(message, look, platform, holeFor(ttl)))
    return { json: cutForm(json), asPayload: (filled) => ({ provider, fields: filled.slice(1, -1) }) }
  }
  const { body, ...rest } = provider === 'apns' ? apnsPayload(message, look) : webPushPayload(message, look)
  return { json: cutForm(JSON.stringify(body)), asPayload: (filled) => ({ ...rest, body: filled }) as Payload }
}

export function fcmTtl(expiresAt: Date, at: Date): number {
  const seconds = Math.floor((expiresAt.getTime() - at.getTime()) / 1000)
  return Math.max(0, Math.min(seconds, maxFcmTtlSeconds))
}
