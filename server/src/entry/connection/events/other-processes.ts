/**
 * Whether other processes hold connections too: only then they are told of events. The database says so every few
 * seconds, and a process that joins says so itself; what came later counts.
 */
export class Peers {
  private isSomebodyThere = true
  private joinedAtMs = Number.NEGATIVE_INFINITY

  get areThere(): boolean {
    return this.isSomebodyThere
  }

  recordJoined(atMs: number): void {
    this.isSomebodyThere = true
    this.joinedAtMs = atMs
  }

  /** What the database answered to a question that was asked at this moment. */
  recordCount(count: number, askedAtMs: number): void {
    if (askedAtMs > this.joinedAtMs) this.isSomebodyThere = count > 0
  }
}
