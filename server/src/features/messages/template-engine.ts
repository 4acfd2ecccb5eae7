import { Liquid } from 'liquidjs'

const engine = new Liquid({ templates: {}, strictFilters: true })
// A template is one text: it neither reads nor defines others.
for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/** What keeps a text from being a template, or undefined when it parses. */
export function findTemplateFault(text: string): string | undefined {
  try {
    engine.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message.slice(0, 200)
  }
}
