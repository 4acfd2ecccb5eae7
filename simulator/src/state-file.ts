import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const restMs = 50

/** Undefined when there is no such file, or nothing in it that could be used. */
export async function readState(path: string): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Keeps a file equal to what `snapshot` answers: whole or not at all, one write at a time, many changes in one. */
export class StateFile {
  private readonly path: string
  private readonly snapshot: () => object
  private isDirty = false
  private writing: Promise<void> | undefined
  private waiting: PromiseWithResolvers<void>[] = []
  private readonly onFault: (error: Error) => void

  constructor(path: string, snapshot: () => object, onFault: (error: Error) => void) {
    this.path = path
    this.snapshot = snapshot
    this.onFault = onFault
  }

  changed(): void {
    this.isDirty = true
    this.writing ??= this.writeWhileDirty().then(
      () => this.rest(),
      (error) => this.rest(error as Error),
    )
  }

  /** Answers when everything up to now is in the file, whatever changes after that; fails when it cannot be written. */
  kept(): Promise<void> {
    if (!this.writing) return Promise.resolve()
    const waiter = Promise.withResolvers<void>()
    this.waiting.push(waiter)
    return waiter.promise
  }

  /** Answers when there is nothing left to write. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing
  }

  /** What cannot be written now is tried again with the next change. */
  private rest(fault?: Error): void {
    this.writing = undefined
    if (!fault && this.isDirty) {
      this.changed()
      return
    }
    settle(this.waiting.splice(0), fault)
    if (fault) this.onFault(fault)
  }

  private async writeWhileDirty(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 })
    while (this.isDirty) {
      this.isDirty = false
      const covered = this.waiting.splice(0)
      await this.write(JSON.stringify(this.snapshot())).catch((error) => {
        settle(covered, error)
        throw error
      })
      settle(covered)
      if (this.isDirty) await sleep(restMs)
    }
  }

  private async write(text: string): Promise<void> {
    const temporary = `${this.path}.new`
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.chmod(0o600)
      await handle.writeFile(text)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, this.path)
  }
}

function settle(waiters: readonly PromiseWithResolvers<void>[], fault?: Error): void {
  for (const { resolve, reject } of waiters) {
    if (fault) reject(fault)
    else resolve()
  }
}
