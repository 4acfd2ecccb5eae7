interface Installation {
  appId: number
  installationNo: number
}

/** An ended connection, and the messages that were sent over it but not acknowledged. */
interface Ended {
  connectionId: string
  /** Undefined if unknown. */
  unacknowledged: readonly string[] | undefined
}

interface Left {
  appId: number
  atMs: number
  ended: Ended | undefined
}

/** Clients that disconnected recently. Messages on their way to them may reach the inbox a moment later. */
export class LeftClients {
  private readonly left = new Map<number, Left>()

  get all(): Installation[] {
    return [...this.left].map(([installationNo, { appId }]) => ({ appId, installationNo }))
  }

  record({ appId, installationNo }: Installation, ended?: Ended): void {
    this.left.set(installationNo, { appId, atMs: performance.now(), ended })
  }

  /** Messages sent over a connection but not acknowledged; undefined if this process no longer knows them. */
  sentOver(installationNo: number, connectionId: string): readonly string[] | undefined {
    const ended = this.left.get(installationNo)?.ended
    return ended?.connectionId === connectionId ? ended.unacknowledged : undefined
  }

  forget(beforeMs: number): void {
    for (const [installationNo, { atMs }] of this.left) if (atMs < beforeMs) this.left.delete(installationNo)
  }
}
