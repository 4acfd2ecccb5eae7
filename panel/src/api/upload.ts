import { ApiFault, NoAnswer } from './call.ts'
import { askForSession } from './query-client.ts'
import { recordAnswer, recordSilence } from './server-state.ts'

export interface Upload<Answer> {
  report: Promise<Answer>
  stop(): void
}

/** Somebody stopped it. */
export class UploadStopped extends Error {}

/** Sends a file or a form. `fetch` does not say how much of it is on its way. */
export function upload<Answer>(
  address: string,
  body: File | FormData,
  onProgress: (share: number) => void,
): Upload<Answer> {
  const request = new XMLHttpRequest()
  const report = new Promise<Answer>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.upload.onload = () => onProgress(1)
    request.onload = () => {
      recordAnswer()
      const answer = readJson(request.responseText)
      if (request.status === 200) return resolve(answer as Answer)
      const fault = new ApiFault(request.status, answer as never, request.getResponseHeader('retry-after'))
      askForSession(fault)
      reject(fault)
    }
    request.onerror = () => {
      recordSilence()
      reject(new NoAnswer())
    }
    request.onabort = () => reject(new UploadStopped())
  })
  request.open('POST', address)
  request.setRequestHeader('accept', 'application/json')
  request.send(body)
  return { report, stop: () => request.abort() }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
