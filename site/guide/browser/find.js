import MiniSearch from 'minisearch'

/** The same when the index is built and when it is asked. */
export const searchOptions = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
  searchOptions: { prefix: true, combineWith: 'AND', boost: { title: 4, page: 2 } },
}

export const loadIndex = (text) => MiniSearch.loadJSON(text, searchOptions)

/** The sections that have all words. Words like them count only where nothing has them: "ours" is no hours. */
export function findSections(index, asked) {
  const found = index.search(asked)
  return found.length > 0 ? found : index.search(asked, { fuzzy: 0.2 })
}

const excerptLength = 140

/** The words around the first that was found. */
export function excerptOf(text, terms) {
  const lower = text.toLowerCase()
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0)
  const wanted = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - 40)
  const start = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1
  const rest = text.slice(start)
  const excerpt = rest.length <= excerptLength ? rest : `${rest.slice(0, rest.lastIndexOf(' ', excerptLength))} …`
  return start > 0 ? `… ${excerpt}` : excerpt
}
