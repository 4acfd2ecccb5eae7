/** An answer of lines that are made while they are read, and that may go on for ever. */
export class LineStream {
  private readonly lines: AsyncGenerator<string>
  private readonly onEnd: () => void
  private readonly onClose: () => Promise<void>
  private closed: Promise<void> | undefined

  constructor(lines: AsyncGenerator<string>, { end, onClose }: { end: () => void; onClose: () => Promise<void> }) {
    this.lines = lines
    this.onEnd = end
    this.onClose = onClose
  }

  /** Some lines, with what ends them. */
  next(): Promise<IteratorResult<string>> {
    return this.lines.next()
  }

  /** Soon, and properly. */
  end(): void {
    this.onEnd()
  }

  /** Whoever reads it is gone, or has it all. */
  close(): Promise<void> {
    this.onEnd()
    this.closed ??= this.lines.return(undefined).then(
      () => this.onClose(),
      () => this.onClose(),
    )
    return this.closed
  }
}
