import { contentFor, languagesOf, type TextChoice } from '../compose/choose-texts.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { defaultTexts, matchLanguage } from '../compose/language-tags.ts'
import { joinAttributes, type NeededAttributes } from '../rendering/needed-values.ts'
import type { PushMessage, Recipient } from './compiled-push.ts'

/** A message in one wording: of a variant, in a language. */
interface Compiled {
  readonly attributes: NeededAttributes
  needsSlowTexts(recipients: readonly Recipient[]): boolean
  renderSlowTexts(appId: number, recipients: readonly Recipient[]): Promise<void>
}

/** A message in all of its wordings, each compiled once. */
export interface CompiledWordings<Each extends Compiled> extends Compiled {
  readonly all: readonly Each[]
  /** One of the languages, or `default`, for an installation with this one; undefined where there are none. */
  readonly languageFor: ((written: string | null, variant?: string) => string) | undefined
  /** As the recipient gets it. */
  of(recipient: Recipient | undefined): Each
}

/** Whether not everybody gets the same texts. */
export function hasWordings({ contents, variants }: Pick<MessageContent, 'contents' | 'variants'>): boolean {
  return contents !== undefined || variants !== undefined
}

/** Every choice of texts that somebody may get; those without a language first. */
export function* allWordings(content: MessageContent): Generator<TextChoice> {
  const variants = content.variants?.map(({ name }) => name) ?? [undefined]
  for (const variant of variants) {
    for (const language of [undefined, ...languagesOf(content, variant)]) yield { variant, language }
  }
}

export function compileWordings<Each extends Compiled>(
  message: PushMessage,
  compile: (message: PushMessage) => Each,
): CompiledWordings<Each> {
  const { content } = message
  const wordings = [...allWordings(content)].map((choice) => {
    return [keyOf(choice), compile({ ...message, content: contentFor(content, choice) })] as const
  })
  const byKey = new Map(wordings)
  const all = [...byKey.values()]
  const plain = all[0] as Each
  const of = (recipient: Recipient | undefined) => {
    if (!recipient) throw new Error('A message in several wordings is rendered for somebody.')
    return byKey.get(keyOf(recipient)) ?? plain
  }
  const variants = [undefined, ...(content.variants?.map(({ name }) => name) ?? [])]
  const languages = new Map(variants.map((variant) => [variant, languagesOf(content, variant)]))
  const hasLanguages = [...languages.values()].some((own) => own.length > 0)
  return {
    all,
    of,
    languageFor: hasLanguages
      ? (written, variant) => matchLanguage(written, languages.get(variant) ?? []) ?? defaultTexts
      : undefined,
    attributes: joinAttributes(all.map(({ attributes }) => attributes)),
    needsSlowTexts: (recipients) => recipients.some((recipient) => of(recipient).needsSlowTexts([recipient])),
    async renderSlowTexts(appId, recipients) {
      for (const [each, own] of Map.groupBy(recipients, of)) await each.renderSlowTexts(appId, own)
    },
  }
}

function keyOf({ variant = '', language = defaultTexts }: Partial<TextChoice>): string {
  return `${variant}/${language}`
}
