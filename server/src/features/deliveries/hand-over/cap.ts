import { type Cap, capWindowMs } from '@peyk/contract'

/** A message that was handed over to a user and counts against caps. */
export interface Use {
  messageId: string
  category: string
  atMs: number
}

export type CapState =
  /** It may be handed over, and counts. */
  | { kind: 'free' }
  /** It was counted when it was handed over to another installation, or by a process that has died since. */
  | { kind: 'counted' }
  /** The user has had as many as `cap` allows: those of `by`. `untilMs` is when all caps allow one more. */
  | { kind: 'full'; cap: Cap; by: string[]; untilMs: number }

export const free: CapState = { kind: 'free' }

export function countsFor({ categories }: Cap, category: string): boolean {
  return categories === undefined || categories.includes(category)
}

/** Whether a message may be handed over to a user who had these, the oldest first. The window ends now, and begins after what is as old as it is long. */
export function decideCap(
  uses: readonly Use[],
  caps: readonly Cap[],
  { messageId, category, atMs }: { messageId: string; category: string; atMs: number },
): CapState {
  if (uses.some((use) => use.messageId === messageId)) return { kind: 'counted' }
  let full: Extract<CapState, { kind: 'full' }> | undefined
  for (const cap of caps) {
    if (!countsFor(cap, category)) continue
    const counted = uses.filter((use) => countsFor(cap, use.category) && use.atMs > atMs - capWindowMs(cap))
    if (counted.length < cap.count) continue
    const oldest = counted[counted.length - cap.count] as Use
    const untilMs = oldest.atMs + capWindowMs(cap)
    if (!full || untilMs > full.untilMs) full = { kind: 'full', cap, by: counted.map((use) => use.messageId), untilMs }
  }
  return full ?? free
}

/** What caps may still ask about: so a row stays as short as the caps are. */
export function keepCounted(uses: readonly Use[], caps: readonly Cap[], atMs: number): Use[] {
  return uses.filter((use) => caps.some((cap) => countsFor(cap, use.category) && use.atMs > atMs - capWindowMs(cap)))
}
