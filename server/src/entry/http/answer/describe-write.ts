import type { AuditEntry } from '#features/accounts/audit/record-audit.ts'
import type { PanelRoute } from '../panel/panel-route.ts'

const told = ['name', 'email', 'role', 'trackId', 'count', 'userId', 'approval', 'seriesId', 'sendAt'] as const
const longest = 255

/** What the audit log says about a write: the route, whom it concerned, and a few words of what came and went. */
export function describeWrite(
  route: Pick<PanelRoute, 'method' | 'path'>,
  { body, params }: { body: unknown; params: unknown },
  answer: unknown,
): AuditEntry {
  const subject = Object.values(params ?? {}).join(' ') || idOf(answer)
  const details: Record<string, string | number> = {}
  // The answer comes last: it says what happened, while the body only says what was asked for.
  for (const source of [body, answer]) {
    if (typeof source !== 'object' || source === null || Array.isArray(source)) continue
    for (const name of told) {
      const value = (source as Record<string, unknown>)[name]
      if (typeof value === 'number') details[name] = value
      if (typeof value === 'string' && value !== '') details[name] = shorten(value)
    }
    const { url, sendAt } = source as { url?: unknown; sendAt?: { local?: unknown } | null }
    if (typeof sendAt?.local === 'string') details.sendAt = shorten(sendAt.local)
    // Not whole: some carry a password.
    const origin = typeof url === 'string' ? URL.parse(url)?.origin : undefined
    if (origin !== undefined && origin !== 'null') details.origin = origin
  }
  return {
    action: `${route.method} ${route.path}`,
    subject: subject === undefined ? undefined : shorten(subject),
    ...(Object.keys(details).length > 0 && { details }),
  }
}

/** A character that is cut in two would be refused by the database. */
function shorten(text: string): string {
  return text.slice(0, longest).toWellFormed()
}

function idOf(answer: unknown): string | undefined {
  const { id, hash } = (answer ?? {}) as { id?: unknown; hash?: unknown }
  return [id, hash].find((each) => typeof each === 'string')
}
