import { joinAttributes, type NeededAttributes } from '../rendering/needed-values.ts'
import { needsSlowTexts, renderSlowTexts } from '../rendering/render-slow-texts.ts'
import { compileWordings, hasWordings } from './compile-wordings.ts'
import type { AppLook, PushMessage, Recipient } from './compiled-push.ts'
import { connectionMessage } from './connection.ts'
import { cutForm, fillForm } from './json-form.ts'
import { type PersonalText, RefusedText, renderText, scopeOf, takeOutTemplates } from './personal-texts.ts'

export type RenderedMessage = { kind: 'ready'; body: Buffer } | { kind: 'refused'; detail: string }

/** A message for the own connection whose templates are parsed and whose fixed parts are written. */
export interface CompiledMessage {
  readonly isPersonal: boolean
  readonly attributes: NeededAttributes
  /** One of its languages, or `default`, for an installation with this one; undefined where it has no languages. */
  readonly languageFor?: ((written: string | null, variant?: string) => string) | undefined
  /** Whether `renderSlowTexts` has to be awaited before `render` for these recipients. */
  needsSlowTexts(recipients: readonly Recipient[]): boolean
  renderSlowTexts(appId: number, recipients: readonly Recipient[]): Promise<void>
  /** The recipient is needed when it is personal. */
  render(recipient?: Recipient): RenderedMessage
}

export function compileConnection(message: PushMessage, look: AppLook): CompiledMessage {
  if (!hasWordings(message.content)) return compileOne(message, look)
  const { all: _all, of, ...common } = compileWordings(message, (each) => compileOne(each, look))
  return { ...common, isPersonal: true, render: (recipient) => of(recipient).render(recipient) }
}

function compileOne(message: PushMessage, look: AppLook): CompiledMessage {
  const { content, texts } = takeOutTemplates(message.content)
  const json = JSON.stringify(connectionMessage({ ...message, content }, look))
  const isPersonal = texts.length > 0
  const shared = isPersonal ? undefined : Buffer.from(json)
  const form = cutForm(json)
  const used = form.holes.map(({ name }) => texts[Number(name)] as PersonalText)
  return {
    isPersonal,
    attributes: joinAttributes(used.map(({ needs }) => needs.attributes)),
    needsSlowTexts: (recipients) => needsSlowTexts(used, recipients),
    renderSlowTexts: (appId, recipients) => renderSlowTexts(appId, used, recipients),
    render(recipient) {
      if (shared) return { kind: 'ready', body: shared }
      if (!recipient) throw new Error('A message with templates is rendered for somebody.')
      const scope = scopeOf(recipient)
      try {
        const filled = fillForm(form, (name) => renderText(texts[Number(name)] as PersonalText, recipient, scope))
        return { kind: 'ready', body: Buffer.from(filled.json) }
      } catch (error) {
        if (error instanceof RefusedText) return { kind: 'refused', detail: error.message }
        throw error
      }
    },
  }
}
