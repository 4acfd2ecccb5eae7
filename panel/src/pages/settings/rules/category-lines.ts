import type { Category } from '@peyk/contract'

/** What a category is called in one language, as it is typed. */
export interface Line {
  key: string
  language: string
  name: string
  description: string
}

let made = 0

/** Those of a category; one that is empty where there is none. */
export function linesOf(category: Pick<Category, 'name' | 'description'> | undefined, language: string): Line[] {
  const key = () => `line-${++made}`
  if (!category) return [{ key: key(), language, name: '', description: '' }]
  return Object.entries(category.name).map(([own, name]) => ({
    key: key(),
    language: own,
    name,
    description: category.description?.[own] ?? '',
  }))
}

export function textsOf(lines: readonly Line[]): Pick<Category, 'name' | 'description'> {
  const of = (field: 'name' | 'description') =>
    Object.fromEntries(
      lines.map((line) => [line.language.trim(), line[field].trim()]).filter(([, text]) => text !== ''),
    )
  const description = of('description')
  return { name: of('name'), ...(Object.keys(description).length > 0 && { description }) }
}
