import { chooseTexts, contentFor } from '../compose/choose-texts.ts'
import { defaultTexts } from '../compose/language-tags.ts'
import { joinAttributes, type NeededAttributes } from '../rendering/needed-values.ts'
import type { PushMessage, Recipient } from './compiled-push.ts'

/** A message in one language. */
interface Compiled {
  readonly attributes: NeededAttributes
  needsSlowTexts(recipients: readonly Recipient[]): boolean
  renderSlowTexts(appId: number, recipients: readonly Recipient[]): Promise<void>
}

/** A message in all of its languages, each compiled once. */
export interface CompiledByLanguage<Each extends Compiled> extends Compiled {
  readonly all: readonly Each[]
  /** One of the message’s languages, or `default`, for an installation with this one. */
  languageFor(written: string | null): string
  /** As the recipient gets it. */
  of(recipient: Recipient | undefined): Each
}

export function compileByLanguage<Each extends Compiled>(
  message: PushMessage,
  compile: (message: PushMessage) => Each,
): CompiledByLanguage<Each> {
  const { content } = message
  const inLanguage = (language: string | undefined) =>
    compile({ ...message, content: contentFor(content, { language }) })
  const plain = inLanguage(undefined)
  const byLanguage = new Map<string, Each>([
    [defaultTexts, plain],
    ...Object.keys(content.contents ?? {}).map((language) => [language, inLanguage(language)] as const),
  ])
  const all = [...byLanguage.values()]
  const of = (recipient: Recipient | undefined) => {
    if (!recipient) throw new Error('A message in several languages is rendered for somebody.')
    return byLanguage.get(recipient.language ?? defaultTexts) ?? plain
  }
  return {
    all,
    of,
    languageFor: (written) => chooseTexts(content, written).language ?? defaultTexts,
    attributes: joinAttributes(all.map(({ attributes }) => attributes)),
    needsSlowTexts: (recipients) => recipients.some((recipient) => of(recipient).needsSlowTexts([recipient])),
    async renderSlowTexts(appId, recipients) {
      for (const [each, own] of Map.groupBy(recipients, of)) await each.renderSlowTexts(appId, own)
    },
  }
}
