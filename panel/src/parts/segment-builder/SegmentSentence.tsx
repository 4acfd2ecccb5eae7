import { memo } from 'react'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { describePart, describeSegment, type Words } from './describe-segment.ts'
import { type PartDraft, readDraft, readSentPart } from './segment-draft.ts'
import { useSegmentFields } from './use-segment-fields.ts'

/** What is needed to say a segment in words; undefined until it is known what this app has. */
export function useSegmentWords(): Words | undefined {
  const { segments: texts, common } = useTexts()
  const format = useFormat()
  const { data: fields } = useSegmentFields()
  return fields && { texts, platforms: common.platforms, format, fields }
}

/** A segment in one sentence. */
export const SegmentSentence = memo(function SegmentSentence({ value }: { value: unknown }) {
  const words = useSegmentWords()
  const draft = readDraft(value)
  return words && draft ? describeSegment(draft, words) : ''
})

/** One step of a funnel: a rule or a group of them, as it was sent. */
export function describeStep(sent: unknown, words: Words): string {
  const group = readSentPart(sent)
  if (group === undefined) return JSON.stringify(sent)
  const part: PartDraft = group.parts.length === 1 ? (group.parts[0] as PartDraft) : group
  return describePart(part, words).replace(/^\((.*)\)$/, '$1')
}
