import { Button } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { IconRepeat } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { EndButton, HoldButton } from './ActButtons.tsx'
import { RecallAction } from './detail/RecallAction.tsx'
import { ScheduledActions } from './detail/ScheduledActions.tsx'
import { hasNotStarted, isHeld, isRecallable, isUnderWay, keptBack, statusOf } from './message-status.ts'
import { useOperate } from './queries.ts'

export function MessageActions({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const status = statusOf(message)
  const maySend = may(message.audience === 'users' ? 'send-to-one' : 'send-to-many')
  return (
    <>
      {may('operate') && status === 'scheduled' && <ScheduledActions message={message} />}
      {may('operate') && isUnderWay(status) && !hasNotStarted(message) && (
        <Operate message={message} isPaused={isHeld(status)} />
      )}
      {may('operate') && isRecallable(message) && <RecallAction message={message} />}
      {maySend && (
        <Button
          variant="default"
          leftSection={<IconRepeat size={16} />}
          renderRoot={linkTo('/send', { from: message.id })}
        >
          {hasNotStarted(message) ? texts.scheduled.copy : texts.again}
        </Button>
      )}
    </>
  )
}

function Operate({ message, isPaused }: { message: MessageDetail; isPaused: boolean }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { pause, resume, cancel } = useOperate(message.id)
  const { progress } = message
  const askAndCancel = async () => {
    const isSure = await confirm({
      title: texts.cancelTitle,
      text: texts.cancelText(keptBack(progress), progress.inFlight ?? 0, format.number),
      confirmLabel: texts.cancelConfirm,
      refuseLabel: texts.keepSending,
      danger: true,
    })
    if (!isSure) return
    await cancel
      .mutateAsync()
      .then(({ count, inFlight }) => toast.done(texts.cancelled(count, inFlight, format.number)), toast.failed)
  }
  const hold = () =>
    isPaused
      ? resume.mutateAsync().then(() => toast.done(texts.resumed), toast.failed)
      : pause
          .mutateAsync()
          .then(({ waiting, inFlight }) => toast.done(texts.paused(waiting, inFlight, format.number)), toast.failed)
  return (
    <>
      <HoldButton isHeld={isPaused} isBusy={pause.isPending || resume.isPending} texts={texts} onClick={hold} />
      <EndButton isBusy={cancel.isPending} onClick={askAndCancel}>
        {texts.cancel}
      </EndButton>
    </>
  )
}
