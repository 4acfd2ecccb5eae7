import { Button, Group, Modal, Stack } from '@mantine/core'
import type { LocalTime } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { MomentField } from '../../parts/fields/MomentField.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { readMove } from './read-move.ts'

interface MoveDialogProps {
  sendAt: number
  localTime?: LocalTime | undefined
  isSaving: boolean
  onMove(sendAt: number | LocalTime): void
  onClose(): void
}

/** Asks for another time for a message that goes later. */
export function MoveDialog({ sendAt, localTime, isSaving, onMove, onClose }: MoveDialogProps) {
  const { messages, send, common } = useTexts()
  const { scheduled: texts } = messages
  const [at, setAt] = useState(() => new Date(localTime ? Date.parse(localTime.local) : sendAt).toISOString())
  const [fault, setFault] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const move = readMove(at, localTime)
    if (move.sendAt === undefined) setFault(send.faults[move.fault])
    else onMove(move.sendAt)
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
            <Button type="submit" loading={isSaving}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
