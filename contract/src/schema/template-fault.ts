import Type, { type Static } from 'typebox'

export const templateFaultCodes = [
  'output-not-closed',
  'tag-not-closed',
  'block-not-closed',
  'unknown-tag',
  'unmatched-tag',
  'unknown-filter',
  'empty-output',
  'too-long',
  'unreadable',
] as const

/** Why a text that is meant as a template is none. */
export const TemplateFault = Type.Object({
  code: Type.Enum(templateFaultCodes),
  part: Type.Optional(Type.String({ description: 'The part of the text, the tag or the filter that it is about.' })),
  suggestion: Type.Optional(Type.String({ description: 'What was probably meant, or what is missing.' })),
})
export type TemplateFault = Static<typeof TemplateFault>
