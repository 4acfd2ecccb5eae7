import type { Connection, Submittable } from 'pg'

/** A COPY to us, or a stream of replication. Each message is handled where it is read, so nothing piles up. */
export class CopyQuery implements Submittable {
  /** Settles when PostgreSQL has ended the copy. */
  readonly ended: Promise<void>
  private readonly text: string
  private readonly onData: (bytes: Buffer) => void
  private connection: Connection | undefined
  private settle!: { resolve: () => void; reject: (error: unknown) => void }
  private fault: unknown

  constructor(text: string, onData: (bytes: Buffer) => void) {
    this.text = text
    this.onData = onData
    this.ended = new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
    })
  }

  /** To PostgreSQL, as long as both sides copy. */
  send(bytes: Buffer): void {
    const connection = this.connection as (Connection & { sendCopyFromChunk(bytes: Buffer): void }) | undefined
    connection?.sendCopyFromChunk(bytes)
  }

  submit(connection: Connection): void {
    this.connection = connection
    connection.query(this.text)
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.fault !== undefined) return
    try {
      this.onData(chunk)
    } catch (error) {
      this.fault = error
      this.settle.reject(error)
    }
  }

  handleError(error: unknown): void {
    this.fault ??= error
    this.settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.settle.resolve()
  }

  handleCommandComplete(): void {}

  handleCopyInResponse(): void {}

  handleRowDescription(): void {}

  handleDataRow(): void {}

  handlePortalSuspended(): void {}

  handleEmptyQuery(): void {}
}
