interface Installation {
  appId: number
  installationNo: number
}

/** Clients that left lately: what was on its way to them may come into the inbox a moment later. */
export class LeftClients {
  private readonly leftAtMs = new Map<number, { appId: number; atMs: number }>()

  get all(): Installation[] {
    return [...this.leftAtMs].map(([installationNo, { appId }]) => ({ appId, installationNo }))
  }

  record({ appId, installationNo }: Installation): void {
    this.leftAtMs.set(installationNo, { appId, atMs: performance.now() })
  }

  forget(beforeMs: number): void {
    for (const [installationNo, { atMs }] of this.leftAtMs) if (atMs < beforeMs) this.leftAtMs.delete(installationNo)
  }
}
