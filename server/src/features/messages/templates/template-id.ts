const longest = 50

/** "Order sent!" → "order-sent". What has no Latin letter or digit is a "template". */
export function suggestTemplateId(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '')
  return words === '' ? 'template' : words
}

/** The id itself, and as many more as there may be templates: one of them is free. */
export function candidateIds(id: string, templates: number): string[] {
  return [id, ...Array.from({ length: templates }, (_, index) => `${id}-${index + 2}`)]
}
