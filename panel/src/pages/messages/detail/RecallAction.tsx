import type { MessageDetail } from '@peyk/contract'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useConfirm } from '#parts/Confirm.tsx'
import { useToast } from '#parts/hooks/use-toast.ts'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { ActButton } from '../ActButtons.tsx'
import { useOperate } from '../queries.ts'

/** Takes the message back, after saying what that can do and what not. */
export function RecallAction({ message }: { message: MessageDetail }) {
  const { recall: texts } = useTexts().messages
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { recall } = useOperate(message.id)
  const { states, progress } = message
  const askAndRecall = async () => {
    const isSure = await confirm({
      title: texts.title,
      text: texts.text(progress.waiting + (progress.inInbox ?? 0), states.sent, format.number),
      confirmLabel: texts.confirm,
      danger: true,
    })
    if (!isSure) return
    await recall.mutateAsync().then((counts) => toast.done(texts.done(counts, format.number)), toast.failed)
  }
  return (
    <ActButton icon={IconArrowBackUp} isFinal isBusy={recall.isPending} onClick={askAndRecall}>
      {texts.button}
    </ActButton>
  )
}
