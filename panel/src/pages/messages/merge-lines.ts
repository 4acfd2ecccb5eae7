import type { MessageLine, MessageLines } from '@peyk/contract'

export interface ListWanted {
  search: string
  kind: 'all' | 'group' | 'personal'
  trackId?: string | undefined
}

const mostOnTop = 200

/** Pages of a list with what has changed: known messages where they are, new ones on top if they belong there. */
export function mergeLines(pages: MessageLines[], changed: readonly MessageLine[], wanted: ListWanted): MessageLines[] {
  const byId = new Map(changed.map((line) => [line.id, line]))
  const known = new Set(pages.flatMap(({ data }) => data.map(({ id }) => id)))
  const newest = pages[0]?.data[0]?.id ?? ''
  // Ids sort by time. What is older than the top belongs to a page that was not asked for yet.
  const added = changed.filter((line) => !known.has(line.id) && line.id > newest && belongs(line, wanted))
  const updated = pages.map((page) => ({ ...page, data: page.data.map((line) => byId.get(line.id) ?? line) }))
  const [first, ...rest] = updated
  if (!first || added.length === 0) return updated
  const onTop = added.toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const top = { ...first, data: [...onTop, ...first.data] }
  return rest.length === 0 ? [cut(top)] : [top, ...rest]
}

/** A page that stays open where much is sent does not grow without end; what is cut is asked for again. */
function cut(page: MessageLines): MessageLines {
  const last = page.data[mostOnTop - 1]
  if (page.data.length <= mostOnTop || !last) return page
  return { ...page, data: page.data.slice(0, mostOnTop), cursor: last.id }
}

/** Whether a search would find it, only the service knows. */
function belongs({ audience, trackId }: MessageLine, wanted: ListWanted): boolean {
  if (wanted.search !== '') return false
  if (wanted.trackId !== undefined && trackId !== wanted.trackId) return false
  return wanted.kind === 'all' || (wanted.kind === 'personal') === (audience === 'users')
}
