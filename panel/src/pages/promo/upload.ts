import type { AnswerOf, QueryOf, updateGlobalPromoCodes, updatePromoCodes } from '@peyk/contract'
import { type Upload, upload } from '../../api/upload.ts'

export type UploadReport = AnswerOf<typeof updatePromoCodes | typeof updateGlobalPromoCodes>

export type UploadOptions = Required<QueryOf<typeof updatePromoCodes>>

/** Sends a file as a browser's form does. */
export function uploadCodes(
  address: string,
  { codes, name }: { codes: Blob; name: string },
  { mode, hasHeader, leaveOutBadLines }: UploadOptions,
  onProgress: (share: number) => void,
): Upload<UploadReport> {
  const body = new FormData()
  body.append('file', codes, name)
  const query = new URLSearchParams({
    mode,
    hasHeader: String(hasHeader),
    leaveOutBadLines: String(leaveOutBadLines),
  })
  return upload(`${address}?${query}`, body, onProgress)
}
