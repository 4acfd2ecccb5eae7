import type { MessageContent } from '../../messages/compose/compose-message.ts'
import { allTexts } from '../../messages/compose/message-texts.ts'
import {
  findTemplateFault,
  isTemplate,
  type ParsedTemplate,
  parseTemplate,
  splitByFallback,
  variablesOf,
} from '../../messages/rendering/template-engine.ts'

/** The variables of a message's texts as they are written in templates, each once. Not those that a template makes itself. */
export function listVariables(content: MessageContent): string[] {
  return [...new Set(readTemplates(content).flatMap(variablesIn))]
}

/** Those that leave a gap where a user has no value: they have no fallback, and the text does not ask whether they are there. */
export function listUnguarded(content: MessageContent): string[] {
  const unguarded = readTemplates(content).flatMap((template) => {
    const { plain, guarded } = splitByFallback(template)
    const asked = new Set(variablesIn(guarded))
    return variablesIn(plain).filter((variable) => !asked.has(variable))
  })
  return [...new Set(unguarded)]
}

/** The attribute that a variable names. */
export function attributeIn(variable: string): string[] {
  return variable.startsWith('user.') ? [variable.slice('user.'.length)] : []
}

function readTemplates(content: MessageContent): ParsedTemplate[] {
  const texts = [...allTexts(content)].map(({ text }) => text)
  return texts.filter((text) => isTemplate(text) && findTemplateFault(text) === undefined).map(parseTemplate)
}

function variablesIn(template: ParsedTemplate): string[] {
  return Object.entries(variablesOf(template) ?? {}).flatMap(([name, places]) =>
    name === 'user' ? places.flatMap(({ segments: [, attribute] }) => attributeOf(attribute)) : [name],
  )
}

/** `user.size` counts all of them; of `user[name]` nobody can tell what it is. */
function attributeOf(attribute: unknown): string[] {
  return typeof attribute === 'string' && attribute !== 'size' ? [`user.${attribute}`] : []
}
