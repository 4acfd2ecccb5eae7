import type { RenderedTexts } from '@peyk/contract'
import { nameVariables } from '#parts/template-text/split-template.ts'
import { isTemplate } from '../fields/insert-template.ts'

export type RenderedText = Pick<RenderedTexts['texts'][number], 'text' | 'fault' | 'reason'>

/** The text of a preview: for the sample user, or with the names of variables until that is known. */
export function shownText(rendered: RenderedText | undefined, typed: string | undefined): string | undefined {
  return rendered?.text ?? (typed === undefined ? undefined : nameVariables(typed))
}

/** What the sample user reads in a field. The last answer may be older than what is typed: plain text is read as it is. */
export function findRendered(
  { texts }: RenderedTexts,
  field: string,
  typed: string | undefined,
): RenderedText | undefined {
  return isTemplate(typed ?? '') ? texts.find((text) => text.field === field) : undefined
}
