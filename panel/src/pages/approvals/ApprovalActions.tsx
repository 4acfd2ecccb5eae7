import { Button, Group, Modal, Stack, Textarea } from '@mantine/core'
import type { ApprovalDetail } from '@peyk/contract'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { ApiFault } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useDecide } from './queries.ts'

/** Who asked can take it back; another member who may send to many decides. */
export function ApprovalActions({ approval }: { approval: ApprovalDetail }) {
  const { may } = useApp()
  if (approval.isOwn) return <Withdraw approval={approval} />
  return may('send-to-many') && <Decide approval={approval} />
}

function Withdraw({ approval: { id } }: { approval: ApprovalDetail }) {
  const { approvals: texts } = useTexts()
  const confirm = useConfirm()
  const toast = useToast()
  const { decline } = useDecide(id)
  const ask = async () => {
    const question = {
      title: texts.withdrawTitle,
      text: texts.withdrawText,
      confirmLabel: texts.withdraw,
      danger: true,
    }
    if (await confirm(question)) await decline.mutateAsync({}).then(() => toast.done(texts.withdrawn), toast.failed)
  }
  return (
    <Button variant="default" leftSection={<IconX size={16} />} loading={decline.isPending} onClick={() => void ask()}>
      {texts.withdraw}
    </Button>
  )
}

function Decide({ approval }: { approval: ApprovalDetail }) {
  const { approvals: texts, messages } = useTexts()
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { id, askedBy, now, message, moves, repeat } = approval
  const { approve, refresh } = useDecide(id)
  const [isDeclining, setIsDeclining] = useState(false)
  const isLater = message.sendAt !== undefined || message.localTime !== undefined || repeat !== undefined
  const failed = (error: unknown) => {
    if (!(error instanceof ApiFault) || error.code !== 'changed-meanwhile') return toast.failed(error)
    toast.refused(texts.changedMeanwhile)
    refresh()
  }
  const ask = async () => {
    if (!now) return
    const question = {
      title: texts.approveTitle,
      text: texts.approveText(askedBy, messages.devices(now.count, format.number(now.count))),
      confirmLabel: moves !== undefined ? texts.approveMove : isLater ? texts.approveLater : texts.approveNow,
      typeToConfirm: String(now.count),
    }
    if (!(await confirm(question))) return
    const decision = { confirmed: now.count, seen: now.seen }
    await approve.mutateAsync(decision).then(() => toast.done(texts.approved), failed)
  }
  return (
    <>
      <Button
        leftSection={<IconCheck size={16} />}
        loading={approve.isPending}
        disabled={!now || (now.count === 0 && !isLater)}
        onClick={() => void ask()}
      >
        {texts.approve}
      </Button>
      <Button variant="default" leftSection={<IconX size={16} />} onClick={() => setIsDeclining(true)}>
        {texts.decline}
      </Button>
      {isDeclining && <Decline id={id} onClose={() => setIsDeclining(false)} />}
    </>
  )
}

function Decline({ id, onClose }: { id: string; onClose(): void }) {
  const { approvals: texts, common } = useTexts()
  const toast = useToast()
  const { decline } = useDecide(id)
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    decline.mutateAsync({ reason }).then(() => {
      toast.done(texts.declined)
      onClose()
    }, toast.failed)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.declineTitle}
      centered
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label={texts.reason}
            description={texts.reasonText}
            autosize
            minRows={2}
            maxLength={500}
            dir="auto"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit" color="red" loading={decline.isPending} disabled={reason.trim() === ''}>
              {texts.declineNow}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
