import type { RenderedTexts } from '@peyk/contract'
import { isTemplate } from '../fields/insert-template.ts'

export type RenderedText = Pick<RenderedTexts['texts'][number], 'text' | 'fault' | 'reason'>

/** What the sample user reads in a field. The last answer may be older than what is typed: plain text is read as it is. */
export function findRendered(
  { texts }: RenderedTexts,
  field: string,
  typed: string | undefined,
): RenderedText | undefined {
  return isTemplate(typed ?? '') ? texts.find((text) => text.field === field) : undefined
}
