import { CodeScan, type ScannedFile } from './scan-codes.ts'

const sliceBytes = 512 * 1024

/** What the service takes. */
export const maxFileBytes = 256 * 1024 * 1024
export const maxRows = 10_000_000

export class FileTooLarge extends Error {}

export interface ReadOptions {
  signal: AbortSignal
  onProgress(share: number): void
}

/** Reads a file slice by slice: between two of them the page goes on, and nothing of the file is kept. */
export async function readCodeFile(file: Blob, { signal, onProgress }: ReadOptions): Promise<ScannedFile> {
  if (file.size > maxFileBytes) throw new FileTooLarge()
  const scan = new CodeScan(file.size)
  for (let start = 0; start < file.size; start += sliceBytes) {
    const slice = await file.slice(start, start + sliceBytes).arrayBuffer()
    // The page has its turn, also where the slice is there at once.
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    scan.push(new Uint8Array(slice))
    if (scan.lines > maxRows + 1) throw new FileTooLarge()
    onProgress(Math.min(1, (start + sliceBytes) / file.size))
  }
  return scan.end()
}
