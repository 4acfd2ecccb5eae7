import type { AnswerOf, MessageDetail, panelMoveScheduled } from '@peyk/contract'
import { IconCalendarTime, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useGo } from '#parts/AppLink.tsx'
import { useConfirm } from '#parts/Confirm.tsx'
import { useSayWhen } from '#parts/hooks/use-say-when.ts'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { ActButton, EndButton } from '../ActButtons.tsx'
import { MoveDialog } from '../MoveDialog.tsx'
import { useOperate } from '../queries.ts'

/** What can be done with a message that goes later. */
export function ScheduledActions({ message }: { message: MessageDetail }) {
  const { messages } = useTexts()
  const { scheduled: texts } = messages
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { move, cancel } = useOperate(message.id)
  const sayMoved = useSayMoved()
  const [isMoving, setIsMoving] = useState(false)
  const sendNow = async () => {
    const devices = messages.devices(message.count, format.number(message.count))
    const question = {
      title: texts.sendNowTitle,
      text: texts.sendNowText(devices),
      confirmLabel: texts.sendNow,
      ...(message.audience !== 'users' && { typeToConfirm: String(message.count) }),
    }
    if (!(await confirm(question))) return
    await move.mutateAsync({ sendAt: Date.now() }).then(sayMoved(texts.started), toast.failed)
  }
  const askAndCancel = async () => {
    const question = {
      title: texts.cancelTitle,
      text: texts.cancelText,
      confirmLabel: texts.cancel,
      refuseLabel: texts.keep,
      danger: true,
    }
    if (await confirm(question)) await cancel.mutateAsync().then(() => toast.done(texts.cancelled), toast.failed)
  }
  return (
    <>
      <ActButton icon={IconCalendarTime} onClick={() => setIsMoving(true)}>
        {texts.changeTime}
      </ActButton>
      <ActButton icon={IconSend} isBusy={move.isPending} onClick={sendNow}>
        {texts.sendNow}
      </ActButton>
      <EndButton isBusy={cancel.isPending} onClick={askAndCancel}>
        {texts.cancel}
      </EndButton>
      {isMoving && <ChangeTime message={message} onClose={() => setIsMoving(false)} />}
    </>
  )
}

function ChangeTime({ message, onClose }: { message: MessageDetail; onClose: () => void }) {
  const { scheduled: texts } = useTexts().messages
  const toast = useToast()
  const { move } = useOperate(message.id)
  const sayMoved = useSayMoved()
  const sayWhen = useSayWhen()
  return (
    <MoveDialog
      sendAt={message.sendAt ?? Date.now()}
      localTime={message.localTime}
      isSaving={move.isPending}
      onMove={(sendAt) =>
        move.mutateAsync({ sendAt }).then((moved) => {
          onClose()
          sayMoved(texts.saved(sayWhen(sendAt)))(moved)
        }, toast.failed)
      }
      onClose={onClose}
    />
  )
}

/** Reports the new time, or opens the request when another member has to approve it. */
function useSayMoved() {
  const { approvals } = useTexts()
  const toast = useToast()
  const go = useGo()
  return (done: string) =>
    ({ approvalId }: AnswerOf<typeof panelMoveScheduled>) => {
      if (approvalId === undefined) return toast.done(done)
      toast.done(approvals.moveAsked, { isOfNextPage: true })
      go(`/approvals/${encodeURIComponent(approvalId)}`)
    }
}
