import type { ClientConnection } from './client-connection.ts'

const usualLimits = { atLeast: 2_000, turns: 15, youngMs: 30_000 }

/**
 * Whom the upkeep looks at in which turn. Up to some thousands it looks at all of them each time. More of them take
 * turns, so that all have had theirs after a minute; only those who came a moment ago are looked at in every turn: what
 * came into their inboxes just then nobody may have told us.
 */
export class ConnectionRounds {
  private readonly limits: typeof usualLimits
  private rest: ClientConnection[] = []

  constructor(limits = usualLimits) {
    this.limits = limits
  }

  /** `endsRound`: all of them have been looked at since the last time that it was so. */
  take(
    connected: readonly ClientConnection[],
    { isComplete, nowMs }: { isComplete: boolean; nowMs: number },
  ): { connections: ClientConnection[]; endsRound: boolean } {
    const { atLeast, turns, youngMs } = this.limits
    const perTurn = Math.max(atLeast, Math.ceil(connected.length / turns))
    if (isComplete || connected.length <= perTurn) {
      this.rest = []
      return { connections: [...connected], endsRound: true }
    }
    if (this.rest.length === 0) this.rest = [...connected]
    const taken = new Set(this.rest.splice(-perTurn).filter(({ stage }) => stage === 'connected'))
    for (const connection of connected) if (nowMs - connection.openedAtMs < youngMs) taken.add(connection)
    return { connections: [...taken], endsRound: this.rest.length === 0 }
  }
}
