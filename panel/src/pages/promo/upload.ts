import type { AnswerOf, QueryOf, updateGlobalPromoCodes, updatePromoCodes } from '@peyk/contract'
import { ApiFault, NoAnswer } from '../../api/call.ts'
import { askForSession } from '../../api/query-client.ts'
import { recordAnswer, recordSilence } from '../../api/server-state.ts'

export type UploadReport = AnswerOf<typeof updatePromoCodes | typeof updateGlobalPromoCodes>

export type UploadOptions = Required<QueryOf<typeof updatePromoCodes>>

export interface Upload {
  report: Promise<UploadReport>
  stop(): void
}

/** Somebody stopped it. */
export class UploadStopped extends Error {}

/** Sends a file as a browser's form does. `fetch` does not say how much of it is on its way. */
export function uploadCodes(
  address: string,
  file: File,
  { mode, hasHeader, leaveOutBadLines }: UploadOptions,
  onProgress: (share: number) => void,
): Upload {
  const request = new XMLHttpRequest()
  const report = new Promise<UploadReport>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.upload.onload = () => onProgress(1)
    request.onload = () => {
      recordAnswer()
      const answer = readJson(request.responseText)
      if (request.status === 200) return resolve(answer as UploadReport)
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
  const body = new FormData()
  body.append('file', file)
  const query = new URLSearchParams({
    mode,
    hasHeader: String(hasHeader),
    leaveOutBadLines: String(leaveOutBadLines),
  })
  request.open('POST', `${address}?${query}`)
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
