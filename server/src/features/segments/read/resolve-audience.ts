import { show } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { findSegment } from '../saved/segment-store.ts'

/** Exactly one of the two [segments.md#target-and-segment]. */
export interface Audience {
  segment?: unknown
  target?: unknown
}

/** segmentId: the saved segment that the rules are from. */
export type ResolvedAudience = { segment: unknown; segmentId?: string } | { target: unknown }

/**
 * The audience as a message keeps it: a saved segment is replaced by its rules, so that nothing that happens to the
 * saved one changes a send that was accepted [sending.md#recipients].
 */
export async function resolveAudience(ctx: Context, { segment, target }: Audience): Promise<ResolvedAudience> {
  const hasSegment = segment !== undefined && segment !== null
  const hasTarget = target !== undefined && target !== null
  if (hasSegment && hasTarget) throw new RequestError('invalid-request', 'Expected "segment" or "target", got both.')
  if (hasSegment) return { segment: readJson(segment) }
  if (!hasTarget) throw new RequestError('invalid-request', 'Expected "segment" or "target", got neither.')
  const filter = readJson(target)
  if (typeof filter !== 'string') return { target: filter }
  const saved = await findSegment(db(ctx), ctx.app.id, filter)
  if (!saved) throw new RequestError('not-found', `There is no saved segment with the id or name ${show(filter)}.`)
  return { segment: saved.segment, segmentId: saved.id }
}

/** Forms, and some clients, send JSON as text; any other text is the id or name of a saved segment. */
function readJson(sent: unknown): unknown {
  if (typeof sent !== 'string' || !sent.trimStart().startsWith('{')) return sent
  try {
    const value: unknown = JSON.parse(sent)
    if (!unstorable.test(JSON.stringify(value))) return value
  } catch {
    // What is nested too deeply to be written again is as little a segment as what is no JSON.
  }
  throw new RequestError('invalid-segment', `Expected JSON, got ${show(sent)}.`)
}

/** U+0000 and lone surrogates, as JSON writes them [requests.md#bodies]. */
const unstorable = /\\u(?:0000|d[89a-f])/
