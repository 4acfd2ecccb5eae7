/** Names of the headings of one page, as code hosts make them: links to them work here and there. */
export class Slugs {
  taken = new Map()

  of(heading) {
    const slug = slugOf(heading)
    const times = this.taken.get(slug) ?? 0
    this.taken.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }

  has(slug) {
    return this.taken.has(slug)
  }
}

export function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
