import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** So much is written at a time. */
const writeLength = 262_144

/** A text that may be too long for memory. Its file has no name: it is gone when it is closed, or when the process ends. */
export class SpooledText {
  readonly bytes: number
  private readonly file: FileHandle

  private constructor(file: FileHandle, bytes: number) {
    this.file = file
    this.bytes = bytes
  }

  static async write(parts: AsyncIterable<string>): Promise<SpooledText> {
    const file = await openUnnamed()
    try {
      let bytes = 0
      let waiting = ''
      const flush = async () => {
        bytes += (await file.write(waiting)).bytesWritten
        waiting = ''
      }
      for await (const part of parts) {
        waiting += part
        if (waiting.length >= writeLength) await flush()
      }
      await flush()
      return new SpooledText(file, bytes)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Once: it is closed at its end, or when whoever reads it stops. */
  async *read(): AsyncGenerator<Buffer> {
    yield* this.file.createReadStream({ start: 0 })
  }

  /** For a text that is not read. */
  close(): Promise<void> {
    return this.file.close()
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-text-'))
  try {
    return await open(join(folder, 'text'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
