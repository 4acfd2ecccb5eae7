import { appPath, NoAnswer, type Query, request } from './call.ts'
import { noteBrokenStream } from './server-state.ts'

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

/** Saves a file of the service. It is read piece by piece into a blob, which the browser keeps outside of the page's memory. */
export async function download(wanted: Download): Promise<DownloadedFile> {
  const { appId, path, query, signal } = wanted
  const response = await request('GET', appPath(appId, path), { query, signal })
  const file = await readAll(response, wanted)
  const name = nameOf(response.headers.get('content-disposition')) ?? wanted.fileName
  save(file, name)
  return { name, bytes: file.size }
}

async function readAll(response: Response, { onProgress, signal }: Download): Promise<Blob> {
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, out) => {
      bytes += piece.byteLength
      onProgress(bytes)
      out.enqueue(piece)
    },
  })
  const counted = response.body?.pipeThrough(counter) ?? null
  const type = response.headers.get('content-type') ?? ''
  return new Response(counted, { headers: { 'content-type': type } }).blob().catch((error: Error) => {
    if (signal.aborted) throw error
    // It broke off on the way: half a file is none.
    void noteBrokenStream()
    throw new NoAnswer()
  })
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
