import { Button } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { IconPlayerPause, IconPlayerPlay, IconRepeat, IconX } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useToast } from '../../parts/use-toast.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { isUnderWay, statusOf } from './message-status.ts'
import { useOperate } from './queries.ts'

export function MessageActions({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const status = statusOf(message)
  const maySend = may(message.audience === 'users' ? 'send-to-one' : 'send-to-many')
  return (
    <>
      {may('operate') && isUnderWay(status) && <Operate message={message} isPaused={status === 'paused'} />}
      {maySend && (
        <Button
          variant="default"
          leftSection={<IconRepeat size={16} />}
          renderRoot={linkTo('/send', { from: message.id })}
        >
          {texts.again}
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
  const hold = isPaused ? resume : pause
  const { waiting } = message.progress
  const askAndCancel = async () => {
    const isSure = await confirm({
      title: texts.cancelTitle,
      text: texts.cancelText(waiting, format.number(waiting)),
      confirmLabel: texts.cancelConfirm,
      danger: true,
    })
    if (!isSure) return
    await cancel
      .mutateAsync()
      .then(({ count }) => toast.done(texts.cancelled(count, format.number(count))), toast.failed)
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={isPaused ? <IconPlayerPlay size={16} /> : <IconPlayerPause size={16} />}
        loading={hold.isPending}
        onClick={() =>
          void hold.mutateAsync().then(() => toast.done(isPaused ? texts.resumed : texts.paused), toast.failed)
        }
      >
        {isPaused ? texts.resume : texts.pause}
      </Button>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        leftSection={<IconX size={16} />}
        loading={cancel.isPending}
        onClick={askAndCancel}
      >
        {texts.cancel}
      </Button>
    </>
  )
}
