/**
 * The other processes on this database that hold connections of clients. The database says every few seconds how many
 * there are, and a process that joins says so itself; what came later counts.
 */
export class Peers {
  private isSomebodyThere = true
  private known = 0
  private joinedAtMs = Number.NEGATIVE_INFINITY

  /** Whether there may be somebody to tell something. */
  get areThere(): boolean {
    return this.isSomebodyThere
  }

  /** How many are known; none until the database was asked. */
  get count(): number {
    return this.known
  }

  recordJoined(atMs: number): void {
    this.isSomebodyThere = true
    this.known++
    this.joinedAtMs = atMs
  }

  /** What the database answered to a question that was asked at this moment. */
  recordCount(count: number, askedAtMs: number): void {
    if (askedAtMs <= this.joinedAtMs) return
    this.isSomebodyThere = count > 0
    this.known = count
  }
}
