import type { UploadedImage } from '@peyk/contract'
import { useEffect, useRef, useState } from 'react'
import { ApiFault, appUrl } from '#api/call.ts'
import { type Upload, UploadStopped, upload } from '#api/upload.ts'
import { useApp } from '#api/use-app.ts'

export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']
/** As the service has it: what Android loads at most. */
const maxBytes = 1_000_000

export type ImageUploadState =
  | { step: 'idle' }
  | { step: 'sending'; share: number }
  | { step: 'done'; image: UploadedImage }
  | { step: 'refused'; problem: 'type' | 'bytes'; bytes: number }
  | { step: 'failed'; error: unknown }

/** Uploads an image; a later one takes the place of the one before. */
export function useImageUpload(onDone: (url: string) => void) {
  const { appId } = useApp()
  const [state, setState] = useState<ImageUploadState>({ step: 'idle' })
  const running = useRef<Upload<UploadedImage>>(undefined)
  useEffect(() => () => running.current?.stop(), [])

  const send = async (file: File) => {
    running.current?.stop()
    running.current = undefined
    const { size: bytes } = file
    if (!imageTypes.includes(file.type)) return setState({ step: 'refused', problem: 'type', bytes })
    if (bytes > maxBytes) return setState({ step: 'refused', problem: 'bytes', bytes })
    setState({ step: 'sending', share: 0 })
    const sending = upload<UploadedImage>(appUrl(appId, '/images'), file, (share) =>
      setState({ step: 'sending', share }),
    )
    running.current = sending
    try {
      const image = await sending.report
      setState({ step: 'done', image })
      onDone(image.url)
    } catch (error) {
      if (running.current !== sending) return
      // A dialog asks to sign in.
      const isSessionOver = error instanceof ApiFault && error.status === 401
      setState(isSessionOver || error instanceof UploadStopped ? { step: 'idle' } : { step: 'failed', error })
    }
  }
  /** Of an upload that is under way, and of one that failed. */
  const forget = () => {
    running.current?.stop()
    setState({ step: 'idle' })
  }
  return { state, send, forget }
}
