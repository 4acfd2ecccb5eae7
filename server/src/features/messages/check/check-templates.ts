import type { TemplateFault } from '@peyk/contract'
import { RequestError } from '#base/errors.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { allTexts } from '../compose/message-texts.ts'
import { findTemplateFault, isTemplate } from '../rendering/template-engine.ts'
import { sayTemplateFault } from '../rendering/template-fault.ts'
import { type AskedValues, checkAsked } from '../values/check-asked.ts'

// Parsing takes about 2 ms per 1,000 characters of nothing but tags, and more than in proportion for long texts.
const maxTemplateCharacters = 20_000

/** How many characters the templates of a message have so far. */
export class TemplateLength {
  private characters = 0

  add(field: string, text: string): void {
    this.characters += text.length
    if (this.characters <= maxTemplateCharacters) return
    const sentence = `the templates of a message may have ${maxTemplateCharacters} characters together`
    refuse(field, { code: 'too-long' }, sentence)
  }
}

/**
 * [sending.md#templates] Refuses a message with a text that is meant as a template and does not parse, or lacks a
 * value.
 */
export function checkTemplates(content: MessageContent, asked: AskedValues = {}): void {
  const length = new TemplateLength()
  for (const { field, text } of allTexts(content)) {
    if (!isTemplate(text)) continue
    length.add(field, text)
    const fault = findTemplateFault(text)
    if (fault) refuse(field, fault, sayTemplateFault(fault))
    checkAsked(field, text, asked)
  }
}

function refuse(field: string, reason: TemplateFault, sentence: string): never {
  const message = `"${field}" is not a Liquid template: ${sentence}.`
  throw new RequestError('invalid-template', message, { details: { field, fault: sentence, reason } })
}
