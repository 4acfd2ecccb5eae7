import type { PromoSet } from '@peyk/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../../api/use-app.ts'
import { appKey } from '../../api/use-app-query.ts'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { type Upload, type UploadReport, UploadStopped, uploadCodes } from './upload.ts'

export type UploadState =
  | { step: 'idle' }
  | { step: 'sending'; name: string; size: number; share: number }
  | { step: 'done'; report: UploadReport }
  | { step: 'failed'; error: unknown }

/** Uploads a file of codes; asks first when unused ones would be lost, and before it is left alone. */
export function useUpload(path: string, set: PromoSet | undefined) {
  const { appId } = useApp()
  const { promo: texts } = useTexts()
  const format = useFormat()
  const confirm = useConfirm()
  const client = useQueryClient()
  const [state, setState] = useState<UploadState>({ step: 'idle' })
  const running = useRef<Upload>(undefined)
  useEffect(() => () => running.current?.stop(), [])
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

  const start = async (file: File) => {
    if (set !== undefined && set.left > 0) {
      const isSure = await confirm({
        title: texts.replaceTitle,
        text: texts.replaceText(set.left, format.number(set.left)),
        confirmLabel: texts.replaceConfirm,
        danger: true,
      })
      if (!isSure) return
    }
    const sending = { step: 'sending', name: file.name, size: file.size } as const
    setState({ ...sending, share: 0 })
    const upload = uploadCodes(appId, path, file, (share) => setState({ ...sending, share }))
    running.current = upload
    try {
      setState({ step: 'done', report: await upload.report })
      await Promise.all(
        ['/campaigns', '/promo', '/send/codes'].map((old) =>
          client.invalidateQueries({ queryKey: appKey(appId, old) }),
        ),
      )
    } catch (error) {
      setState(error instanceof UploadStopped ? { step: 'idle' } : { step: 'failed', error })
    }
  }
  return { state, start, stop: () => running.current?.stop(), reset: () => setState({ step: 'idle' }) }
}
