import { Button, Group, Modal, Stack } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import { IconCalendarTime, IconSend, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useConfirm } from '../../../parts/Confirm.tsx'
import { MomentField } from '../../../parts/fields/MomentField.tsx'
import { useSayWhen } from '../../../parts/hooks/use-say-when.ts'
import { useToast } from '../../../parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '../../../texts/LanguageProvider.tsx'
import { readWhen } from '../../send/draft/compose.ts'
import { useOperate } from '../queries.ts'

/** What can be done with a message that goes later. */
export function ScheduledActions({ message }: { message: MessageDetail }) {
  const { messages } = useTexts()
  const { scheduled: texts } = messages
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { move, cancel } = useOperate(message.id)
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
    await move.mutateAsync({ sendAt: Date.now() }).then(() => toast.done(texts.started), toast.failed)
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
      <Button variant="default" leftSection={<IconCalendarTime size={16} />} onClick={() => setIsMoving(true)}>
        {texts.changeTime}
      </Button>
      <Button variant="default" leftSection={<IconSend size={16} />} loading={move.isPending} onClick={sendNow}>
        {texts.sendNow}
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
      {isMoving && <ChangeTime message={message} onClose={() => setIsMoving(false)} />}
    </>
  )
}

function ChangeTime({ message, onClose }: { message: MessageDetail; onClose: () => void }) {
  const { messages, send, common } = useTexts()
  const { scheduled: texts } = messages
  const toast = useToast()
  const { move } = useOperate(message.id)
  const sayWhen = useSayWhen()
  const { localTime } = message
  const [at, setAt] = useState(() =>
    new Date(localTime ? Date.parse(localTime.local) : (message.sendAt ?? Date.now())).toISOString(),
  )
  const [fault, setFault] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const sendAt = readWhen({ isLater: true, at, ...(localTime && { isLocal: true, late: localTime.late }) })
    if (sendAt === undefined || typeof sendAt === 'string') {
      setFault(send.faults[sendAt ?? 'noTime'])
      return
    }
    const zoned = typeof sendAt === 'object' ? { ...(localTime?.zone && { zone: localTime.zone }), ...sendAt } : sendAt
    move.mutateAsync({ sendAt: zoned }).then(() => {
      toast.done(texts.saved(sayWhen(zoned)))
      onClose()
    }, toast.failed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.changeTitle}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={save}>
        <Stack>
          <MomentField
            label={localTime ? send.when.local : send.when.at}
            value={at}
            error={fault}
            onChange={(moment) => {
              setAt(moment ?? '')
              setFault(undefined)
            }}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" loading={move.isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
