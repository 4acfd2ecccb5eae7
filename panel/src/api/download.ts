import { appPath, NoAnswer, type Query, request } from './call.ts'
import { recordDoubt } from './server-state.ts'

const pieceBytes = 1024 ** 2

export interface Download {
  appId: string
  path: string
  query?: Query
  /** Where the service names none. */
  fileName: string
  signal: AbortSignal
  onProgress(bytes: number): void
}

export interface DownloadedFile {
  name: string
  bytes: number
}

/** Saves a file of the service, read piece by piece. */
export async function download(wanted: Download): Promise<DownloadedFile> {
  const { appId, path, query, signal } = wanted
  const response = await request('GET', appPath(appId, path), { query, signal })
  const file = await readAll(response, wanted)
  const name = nameOf(response.headers.get('content-disposition')) ?? wanted.fileName
  save(file, name)
  return { name, bytes: file.size }
}

async function readAll(response: Response, { onProgress, signal }: Download): Promise<Blob> {
  const pieces = new Pieces()
  try {
    const reader = response.body?.getReader()
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      pieces.add(read.value)
      onProgress(pieces.bytes)
    }
  } catch (error) {
    if (signal.aborted) throw error
    // It broke off on the way: half a file is none.
    void recordDoubt()
    throw new NoAnswer()
  }
  return pieces.join(response.headers.get('content-type') ?? '')
}

/** Blobs are the browser's to keep, and are joined without a copy: only the last bytes are in the page's memory. */
class Pieces {
  bytes = 0
  private readonly blobs: Blob[] = []
  private waiting: Uint8Array<ArrayBuffer>[] = []
  private waitingBytes = 0

  add(piece: Uint8Array<ArrayBuffer>): void {
    this.bytes += piece.byteLength
    this.waitingBytes += piece.byteLength
    this.waiting.push(piece)
    if (this.waitingBytes < pieceBytes) return
    this.blobs.push(new Blob(this.waiting))
    this.waiting = []
    this.waitingBytes = 0
  }

  join(type: string): Blob {
    return new Blob([...this.blobs, ...this.waiting], { type })
  }
}

/** The name in RFC 6266's `filename*`. */
export function nameOf(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
