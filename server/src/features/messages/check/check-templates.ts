import type { TemplateFault } from '@peyk/contract'
import { RequestError } from '../../../base/errors.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { allTexts } from '../compose/message-texts.ts'
import { findTemplateFault, isTemplate } from '../rendering/template-engine.ts'
import { sayTemplateFault } from '../rendering/template-fault.ts'

// Parsing takes about 2 ms per 1,000 characters of nothing but tags, and more than in proportion for long texts.
const maxTemplateCharacters = 20_000

/** [choice 32] Refuses a message with a text that is meant as a template and does not parse. */
export function checkTemplates(content: MessageContent): void {
  let characters = 0
  for (const { field, text } of allTexts(content)) {
    if (!isTemplate(text)) continue
    characters += text.length
    if (characters > maxTemplateCharacters) {
      refuse(
        field,
        { code: 'too-long' },
        `the templates of a message may have ${maxTemplateCharacters} characters together`,
      )
    }
    const fault = findTemplateFault(text)
    if (fault) refuse(field, fault, sayTemplateFault(fault))
  }
}

function refuse(field: string, reason: TemplateFault, sentence: string): never {
  const message = `"${field}" is not a Liquid template: ${sentence}.`
  throw new RequestError('invalid-template', message, { details: { field, fault: sentence, reason } })
}
