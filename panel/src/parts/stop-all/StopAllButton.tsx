import { Button, type ButtonProps } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useConfirm } from '../Confirm.tsx'
import { useToast } from '../hooks/use-toast.ts'
import { useAllSending, useStopAndResume } from './queries.ts'

/** Stops all that the app sends. Once it is stopped, the bar above the page has the way back. */
export function StopAllButton(props: Pick<ButtonProps, 'size'>) {
  const { sending: texts } = useTexts()
  const { may } = useApp()
  const { number } = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const sending = useAllSending()
  const { stop } = useStopAndResume()
  if (!may('operate') || sending.data === undefined || sending.data.stopped) return null
  const askAndStop = async () => {
    const { data } = await sending.refetch()
    const isSure = await confirm({
      title: texts.stopTitle,
      text: data && texts.stopText(data, number),
      confirmLabel: texts.stop,
      danger: true,
    })
    if (isSure) await stop.mutateAsync().then((answer) => toast.done(texts.stopped(answer, number)), toast.failed)
  }
  return (
    <Button
      {...props}
      variant="default"
      c="var(--mantine-color-error)"
      leftSection={<IconHandStop size={16} />}
      loading={stop.isPending}
      onClick={() => void askAndStop()}
    >
      {texts.stop}
    </Button>
  )
}
