import type { PanelAuditEntry } from '@peyk/contract'

export interface AuditSubject {
  label: string
  /** The page of it, where it has one. */
  to?: string
}

/** Wording of an entry. A send that waits, repeats, or starts later has its own. */
export function wordingOf({ action, at, details = {} }: PanelAuditEntry): string {
  const { approval, seriesId, sendAt } = details
  if (approval !== undefined) return `${action} ${approval}`
  if (action !== 'POST /send') return action
  if (seriesId !== undefined) return `${action} series`
  return typeof sendAt === 'string' || (sendAt !== undefined && sendAt > at) ? `${action} later` : action
}

/** Whom or what an entry is about, by the name that people know, and where it is found. */
export function subjectOf({ action, subject = '', details = {} }: PanelAuditEntry): AuditSubject {
  const { name, email, origin, trackId, approval, seriesId } = details
  const [method, path = ''] = action.split(' ')
  const label = String(name ?? email ?? origin ?? subject)
  const area = path.split('/')[1]
  if (area === 'approvals' || (area === 'send' && approval !== undefined))
    return { label: shortId(subject), to: pageOf('approvals', subject) }
  if (area === 'send' && seriesId !== undefined)
    return { label: shortId(String(seriesId)), to: pageOf('series', String(seriesId)) }
  if (area === 'send' || area === 'messages') return { label: shortId(subject), to: pageOf('messages', subject) }
  if (area === 'series') return { label: shortId(subject), to: pageOf('series', subject) }
  if (area === 'images') return { label: shortId(subject) }
  if (area === 'campaigns') return { label, to: pageOf('campaigns', String(trackId ?? subject)) }
  if (method === 'DELETE') return { label }
  if (area === 'segments' || area === 'users') return { label, to: pageOf(area, subject) }
  return { label }
}

/** Messages, series and images have no name. The end of an id tells them apart; its beginning is the time. */
function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-8)}` : id
}

function pageOf(area: string, id: string): string {
  return `/${area}/${encodeURIComponent(id)}`
}
