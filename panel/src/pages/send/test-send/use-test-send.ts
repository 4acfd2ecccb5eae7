import type { AnswerOf, BodyOf, ComposedMessage, panelTestSend } from '@peyk/contract'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { appPath, call } from '#api/call.ts'
import { useApp } from '#api/use-app.ts'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { randomKey } from '../random-key.ts'
import type { Device } from './DeviceChooser.tsx'

export type SentTest = AnswerOf<typeof panelTestSend>['sent'][number]

/** A lost answer may be asked for again without a second test. */
export function useTestSend(message: ComposedMessage) {
  const { appId } = useApp()
  const { test: texts } = useTexts().send
  const format = useFormat()
  const toast = useToast()
  const key = useRef<{ body: string; key: string }>(undefined)
  return useMutation({
    mutationFn: (devices: readonly Device[]) => {
      const installationIds = devices.map(({ installationId }) => installationId)
      const body: BodyOf<typeof panelTestSend> = { ...message, installationIds }
      const text = JSON.stringify(body)
      if (key.current?.body !== text) key.current = { body: text, key: randomKey() }
      return call<typeof panelTestSend>('POST', appPath(appId, '/send/test'), {
        body,
        idempotencyKey: key.current.key,
      })
    },
    onSuccess: ({ sent }) => {
      key.current = undefined
      toast.done(texts.sent(sent.length, format.number(sent.length)))
    },
  })
}
