import { Alert } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { IconHandStop } from '@tabler/icons-react'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { keptBack, statusOf } from '../message-status.ts'

/** What a pause, a cancellation or a recall has really stopped or taken back, and what was out of the house by then. */
export function StopNote({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const { number } = useFormat()
  const status = statusOf(message)
  const { total, waiting, inInbox = 0, inFlight = 0, cancelled = 0 } = message.progress
  const say: Partial<Record<typeof status, () => string>> = {
    pausing: () => texts.stopNote.pausing(inFlight, number),
    paused: () => {
      if (keptBack(message.progress) === 0) return texts.stopNote.pausedSms
      return texts.stopNote.paused(waiting - inFlight, inInbox, inFlight, number)
    },
    stopping: () => texts.stopNote.stopping(cancelled, waiting, number),
    cancelled: () => texts.stopNote.cancelled(cancelled, total - cancelled, number),
    tooLate: () => texts.stopNote.tooLate(total, number),
    recalled: () => texts.recall.done({ cancelled, cleared: 0, notReachable: 0, ...message.recall }, number),
  }
  const text = say[status]?.()
  if (text === undefined || total === 0) return null
  return (
    <Alert variant="light" color="orange" icon={<IconHandStop size={18} />} aria-live="polite">
      {text}
    </Alert>
  )
}
