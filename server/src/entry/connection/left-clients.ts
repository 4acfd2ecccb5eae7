interface Installation {
  appId: number
  installationNo: number
}

/** A connection that has ended, and the messages that were sent over it and not acknowledged. */
interface Ended {
  connectionId: string
  /** Undefined when nobody knows. */
  unacknowledged: readonly string[] | undefined
}

interface Left {
  appId: number
  atMs: number
  ended: Ended | undefined
}

/** Clients that left recently: messages on their way to them may come into the inbox a moment later. */
export class LeftClients {
  private readonly left = new Map<number, Left>()

  get all(): Installation[] {
    return [...this.left].map(([installationNo, { appId }]) => ({ appId, installationNo }))
  }

  record({ appId, installationNo }: Installation, ended?: Ended): void {
    this.left.set(installationNo, { appId, atMs: performance.now(), ended })
  }

  /** What was sent over a connection and not acknowledged; undefined when it is not known here any more. */
  sentOver(installationNo: number, connectionId: string): readonly string[] | undefined {
    const ended = this.left.get(installationNo)?.ended
    return ended?.connectionId === connectionId ? ended.unacknowledged : undefined
  }

  forget(beforeMs: number): void {
    for (const [installationNo, { atMs }] of this.left) if (atMs < beforeMs) this.left.delete(installationNo)
  }
}
