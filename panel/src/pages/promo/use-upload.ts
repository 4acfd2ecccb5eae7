import type { PromoSet } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiFault, appUrl } from '../../api/call.ts'
import { type Upload, UploadStopped } from '../../api/upload.ts'
import { useApp } from '../../api/use-app.ts'
import { appKey } from '../../api/use-app-query.ts'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { type CodeFile, readCodeFile } from './file/read-code-file.ts'
import { type UploadOptions, type UploadReport, uploadCodes } from './upload.ts'

export type UploadState =
  | { step: 'idle' }
  | { step: 'reading'; name: string; share: number }
  | { step: 'read'; file: File; read: CodeFile }
  | { step: 'sending'; name: string; size: number; share: number }
  | { step: 'done'; report: UploadReport }
  | { step: 'failed'; error: unknown }

/** Reads a file of codes, then uploads it; asks first when unused ones would be lost, and before it is left alone. */
export function useUpload(path: string, set: PromoSet | undefined) {
  const { appId } = useApp()
  const { promo: texts } = useTexts()
  const format = useFormat()
  const confirm = useConfirm()
  const client = useQueryClient()
  const [state, setState] = useState<UploadState>({ step: 'idle' })
  const running = useRef<Upload<UploadReport>>(undefined)
  const reading = useRef<AbortController>(undefined)
  useEffect(
    () => () => {
      reading.current?.abort()
      running.current?.stop()
    },
    [],
  )
  const isSending = state.step === 'sending'
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      next.pathname !== current.pathname &&
      !(await confirm({
        title: texts.leaveTitle,
        text: texts.leaveText,
        confirmLabel: texts.leave,
        danger: true,
      })),
    disabled: !isSending,
    enableBeforeUnload: isSending,
  })

  const read = async (file: File, column?: number) => {
    reading.current?.abort()
    reading.current = new AbortController()
    const { signal } = reading.current
    const onProgress = (share: number) => !signal.aborted && setState({ step: 'reading', name: file.name, share })
    onProgress(0)
    try {
      setState({ step: 'read', file, read: await readCodeFile(file, { column, signal, onProgress }) })
    } catch (error) {
      if (!signal.aborted) setState({ step: 'failed', error })
    }
  }
  const send = async (codes: Blob, name: string, options: UploadOptions) => {
    if (options.mode === 'replace' && set !== undefined && set.left > 0) {
      const isSure = await confirm({
        title: texts.replaceTitle,
        text: texts.replaceText(set.left, format.number(set.left)),
        confirmLabel: texts.replaceConfirm,
        danger: true,
      })
      if (!isSure) return
    }
    const sending = { step: 'sending', name, size: codes.size } as const
    setState({ ...sending, share: 0 })
    const upload = uploadCodes(appUrl(appId, path), { codes, name }, options, (share) =>
      setState({ ...sending, share }),
    )
    running.current = upload
    try {
      setState({ step: 'done', report: await upload.report })
      await Promise.all(
        ['/campaigns', '/promo', '/send/codes'].map((old) =>
          client.invalidateQueries({ queryKey: appKey(appId, old) }),
        ),
      )
    } catch (error) {
      const isSessionOver = error instanceof ApiFault && error.status === 401
      // A dialog asks to sign in; what was read is still there then.
      if (isSessionOver) setState(state)
      else setState(error instanceof UploadStopped ? { step: 'idle' } : { step: 'failed', error })
    }
  }
  const reset = () => {
    reading.current?.abort()
    setState({ step: 'idle' })
  }
  return { state, read, send, stop: () => running.current?.stop(), reset }
}
