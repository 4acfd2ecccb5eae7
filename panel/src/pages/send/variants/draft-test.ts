import { type DraftLanguages, type DraftTexts, emptyTexts } from '../draft/draft-texts.ts'
import type { Span } from '../draft/span.ts'
import { evenShares, withoutShare } from './shares.ts'

export interface DraftVariant {
  name: string
  /** Percent of those who are not in control. */
  share: number
  /** Of the first one only `rest`: its words are those of the draft itself. */
  texts: DraftTexts
  languages: DraftLanguages
}

export const winnerChoices = ['opened', 'acted', 'event'] as const

export interface DraftWinner {
  isOn: boolean
  by: (typeof winnerChoices)[number]
  event: string
  after: Span
  testShare?: number | undefined
  /** Which of the variants the others get when none wins. */
  otherwise: number
}

/** Wordings that are compared, who gets nothing, and what decides; as it is chosen. */
export interface DraftTest {
  isOn: boolean
  variants: DraftVariant[]
  control?: number | undefined
  goal: { event: string; within: Span }
  winner: DraftWinner
}

export const noTest: DraftTest = {
  isOn: false,
  variants: [],
  control: 0,
  goal: { event: '', within: { amount: '12', unit: 'hours' } },
  winner: { isOn: false, by: 'opened', event: '', after: { amount: '4', unit: 'hours' }, testShare: 20, otherwise: 0 },
}

/** A, B, C…, whichever is free. */
export function freeName(variants: readonly DraftVariant[]): string {
  const taken = new Set(variants.map(({ name }) => name.trim()))
  return [...'ABCDEFGHIJ'].find((letter) => !taken.has(letter)) ?? ''
}

/** With one more, which begins as a copy of `texts`. All get the same share. */
export function addVariant(
  variants: readonly DraftVariant[],
  { texts, languages }: Pick<DraftVariant, 'texts' | 'languages'>,
): DraftVariant[] {
  const first = variants.length === 0 ? [{ name: 'A', share: 0, texts: emptyTexts, languages: {} }] : variants
  const all = [...first, { name: freeName(first), share: 0, texts, languages }]
  const shares = evenShares(all.length)
  return all.map((variant, place) => ({ ...variant, share: shares[place] ?? 0 }))
}

/** The first one cannot be removed: the next takes its place, see `removeVariant` in draft-variants. */
export function withoutVariant(test: DraftTest, removed: number): DraftTest {
  const shares = withoutShare(
    test.variants.map(({ share }) => share),
    removed,
  )
  const { otherwise } = test.winner
  return {
    ...test,
    variants: test.variants
      .filter((_, place) => place !== removed)
      .map((variant, place) => ({ ...variant, share: shares[place] ?? 0 })),
    winner: {
      ...test.winner,
      otherwise: otherwise === removed ? 0 : otherwise > removed ? otherwise - 1 : otherwise,
    },
  }
}

/** A draft of an earlier version of the panel may lack parts. */
export function completeTest(kept: Partial<DraftTest> | undefined): DraftTest {
  return {
    ...noTest,
    ...kept,
    goal: { ...noTest.goal, ...kept?.goal },
    winner: { ...noTest.winner, ...kept?.winner },
  }
}

/** When a language of the message is removed. */
export function withoutLanguage(test: DraftTest, removed: string): DraftTest {
  return {
    ...test,
    variants: test.variants.map((variant) => ({
      ...variant,
      languages: Object.fromEntries(Object.entries(variant.languages).filter(([tag]) => tag !== removed)),
    })),
  }
}

/** When a button of the message is removed. */
export function withoutActionInTest(test: DraftTest, removed: number): DraftTest {
  const without = (texts: DraftTexts) => ({ ...texts, actions: texts.actions.filter((_, place) => place !== removed) })
  return {
    ...test,
    variants: test.variants.map((variant) => ({
      ...variant,
      texts: without(variant.texts),
      languages: Object.fromEntries(
        Object.entries(variant.languages).map(([language, texts]) => [language, without(texts)]),
      ),
    })),
  }
}
