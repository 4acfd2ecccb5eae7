import type { Draft } from '../draft/draft.ts'
import { type DraftTexts, emptyTexts } from '../draft/draft-texts.ts'
import { addVariant, type DraftVariant, noTest, withoutVariant } from './draft-test.ts'

/** What the draft itself says, as a variant has it. */
export function ownTexts({ content, alertText, notification, fallback }: Draft): DraftTexts {
  const { title, body, clickUrl, mediaUrl } = notification
  const actions = notification.actions.map((action) => action.title)
  return { ...{ content, alertText, title, body, clickUrl, mediaUrl, actions }, sms: fallback.content, rest: {} }
}

/** The draft with other words. A button or an SMS without any keeps its own. */
export function withTexts(draft: Draft, texts: DraftTexts): Draft {
  const { content, alertText, title, body, clickUrl, mediaUrl } = texts
  const { notification, fallback } = draft
  return {
    ...draft,
    content,
    alertText,
    notification: {
      ...notification,
      ...{ title, body, clickUrl, mediaUrl },
      actions: notification.actions.map((action, place) => ({
        ...action,
        title: texts.actions[place]?.trim() ? (texts.actions[place] as string) : action.title,
      })),
    },
    fallback: { ...fallback, content: texts.sms.trim() === '' ? fallback.content : texts.sms },
  }
}

/** What those who get one of its variants read, as a draft without a test. */
export function variantDraft(draft: Draft, place: number): Draft {
  const variant = draft.test.isOn && place > 0 ? draft.test.variants[place] : undefined
  if (!variant) return { ...draft, test: noTest }
  const languages = Object.keys(draft.languages).map((tag) => [tag, variant.languages[tag] ?? emptyTexts] as const)
  return { ...withTexts(draft, variant.texts), languages: Object.fromEntries(languages), test: noTest }
}

/** The draft as each one may read it. */
export function wordingsOf(draft: Draft): Draft[] {
  return draft.test.isOn ? draft.test.variants.map((_, place) => variantDraft(draft, place)) : [draft]
}

/** What changes when the texts of one variant do. Languages belong to all of them. */
export function changeVariant(
  draft: Draft,
  place: number,
  changes: Partial<Pick<DraftVariant, 'languages'>> & { texts?: Partial<DraftTexts> },
): Partial<Draft> {
  const variants = draft.test.variants.map((variant, at) =>
    at === place
      ? {
          ...variant,
          texts: { ...variant.texts, ...changes.texts },
          languages: changes.languages ?? variant.languages,
        }
      : variant,
  )
  const added = Object.keys(changes.languages ?? {}).filter((tag) => !(tag in draft.languages))
  return {
    test: { ...draft.test, variants },
    ...(added.length > 0 && {
      languages: { ...draft.languages, ...Object.fromEntries(added.map((tag) => [tag, emptyTexts])) },
    }),
  }
}

/** One more, with the words of the one that is shown. */
export function addCopy(draft: Draft, shown: number): Partial<Draft> {
  const copied = variantDraft(draft, shown)
  const variants = addVariant(draft.test.variants, { texts: ownTexts(copied), languages: copied.languages })
  return { test: { ...draft.test, isOn: true, variants } }
}

/** When the first goes, the words of the second become the draft's own. */
export function removeVariant(draft: Draft, removed: number): Partial<Draft> {
  const test = withoutVariant(draft.test, removed)
  if (removed > 0) return { test }
  const { content, alertText, notification, fallback, languages } = variantDraft(draft, 1)
  return { content, alertText, notification, fallback, languages, test }
}

/** What was written for one kind is the text of the other too, unless that has its own. */
export function changeProduct(draft: Draft, product: Draft['product']): Partial<Draft> {
  const move = ({ content, body }: { content: string; body: string }) => {
    if (product === 'notification') return { content, body: body === '' ? content : body }
    return content === '' ? { content: body, body: '' } : { content, body }
  }
  const { content, body } = move({ content: draft.content, body: draft.notification.body })
  return {
    product,
    content,
    notification: { ...draft.notification, body },
    ...(draft.test.variants.length > 0 && {
      test: {
        ...draft.test,
        variants: draft.test.variants.map((variant) => ({
          ...variant,
          texts: { ...variant.texts, ...move(variant.texts) },
        })),
      },
    }),
  }
}
