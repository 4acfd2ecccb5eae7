import type { TemplateFault } from '@peyk/contract'

const perhaps = (suggestion: string) => suggestion && ` Did you mean ${suggestion}?`

/** Why a text with variables cannot be used, and what to do. */
export const templateFaultsEn: Record<TemplateFault['code'], (part: string, suggestion: string) => string> = {
  'output-not-closed': (part) => `Close “${part}” with }}.`,
  'tag-not-closed': (part) => `Close “${part}” with %}.`,
  'block-not-closed': (part, suggestion) => `Add {% ${suggestion} %} where {% ${part} %} ends.`,
  'unknown-tag': (part, suggestion) => `There is no tag “${part}”.${perhaps(suggestion)}`,
  'unmatched-tag': (part) => `Remove {% ${part} %}, or add what it belongs to before it.`,
  'unknown-filter': (part, suggestion) => `There is no filter “${part}”.${perhaps(suggestion)}`,
  'empty-output': () => 'Name a variable between {{ and }}, or remove them.',
  'too-long': () => 'The texts with variables are too long: 20,000 characters at most, together.',
  unreadable: (part) => (part === '' ? 'Something is missing at the end.' : `Something is wrong at “${part}”.`),
}
