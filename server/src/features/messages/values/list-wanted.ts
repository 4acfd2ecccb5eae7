import type { TemplateMessage, WantedValue } from '@peyk/contract'
import { TemplateLength } from '../check/check-templates.ts'
import type { MessageContent } from '../compose/compose-message.ts'
import { allTexts } from '../compose/message-texts.ts'
import { findTemplateFault } from '../rendering/template-engine.ts'
import { findValuePlaces, mayAskForValues } from './value-places.ts'

/** The values that the texts of a message ask for, each once, in the order of the texts. */
export function listWanted(message: TemplateMessage | MessageContent): WantedValue[] {
  const wanted = new Map<string, WantedValue>()
  const length = new TemplateLength()
  for (const { field, text } of allTexts(message as MessageContent)) {
    if (!mayAskForValues(text)) continue
    length.add(field, text)
    if (findTemplateFault(text)) continue
    for (const { name, isRequired, fallback } of findValuePlaces(text) ?? []) {
      const known = wanted.get(name)
      const instead = known?.fallback ?? fallback
      const required = isRequired || (known?.required ?? false)
      wanted.set(name, { name, required, ...(instead !== undefined && { fallback: instead }) })
    }
  }
  return [...wanted.values()]
}
