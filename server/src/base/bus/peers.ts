/** Another process on this database. */
export interface Peer {
  id: string
  /** What it does, as far as it has said so. */
  roles: readonly string[]
}

/**
 * The other processes on this database. The database says every few seconds which there are, and a process that joins says
 * so itself; what came later counts.
 */
export class Peers {
  private isSomebodyThere = true
  private known = 0
  private others: readonly Peer[] = []
  private joinedAtMs = Number.NEGATIVE_INFINITY

  /** Whether there may be somebody to tell something. */
  get areThere(): boolean {
    return this.isSomebodyThere
  }

  /** How many are known; none until the database was asked. */
  get count(): number {
    return this.known
  }

  /** The ids of those with this role, as the database last said. */
  withRole(role: string): string[] {
    return this.others.filter(({ roles }) => roles.includes(role)).map(({ id }) => id)
  }

  recordJoined(atMs: number): void {
    this.isSomebodyThere = true
    this.known++
    this.joinedAtMs = atMs
  }

  /** What the database answered to a question that was asked at this moment. */
  record(others: readonly Peer[], askedAtMs: number): void {
    this.others = others
    if (askedAtMs <= this.joinedAtMs) return
    this.isSomebodyThere = others.length > 0
    this.known = others.length
  }
}
