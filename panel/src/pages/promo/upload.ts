import type { AnswerOf, QueryOf, updateGlobalPromoCodes, updatePromoCodes } from '@peyk/contract'
import { type Upload, upload } from '../../api/upload.ts'

export type UploadReport = AnswerOf<typeof updatePromoCodes | typeof updateGlobalPromoCodes>

export type UploadOptions = Required<QueryOf<typeof updatePromoCodes>>

/** Sends a file as a browser's form does. */
export function uploadCodes(
  address: string,
  file: File,
  { mode, hasHeader, leaveOutBadLines }: UploadOptions,
  onProgress: (share: number) => void,
): Upload<UploadReport> {
  const body = new FormData()
  body.append('file', file)
  const query = new URLSearchParams({
    mode,
    hasHeader: String(hasHeader),
    leaveOutBadLines: String(leaveOutBadLines),
  })
  return upload(`${address}?${query}`, body, onProgress)
}
