import { Alert, Button, Group, Text } from '@mantine/core'
import type { Sending } from '@peyk/contract'
import { IconHandStop } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useApp } from '../../api/use-app.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useConfirm } from '../Confirm.tsx'
import { useToast } from '../hooks/use-toast.ts'
import { isFocusLost } from '../lost-focus.ts'
import { useAllSending, useStopAndResume } from './queries.ts'

/** On every page of an app whose sending is stopped. */
export function StoppedBar() {
  const { data, refetch } = useAllSending()
  const look = async () => (await refetch()).data
  return data?.stopped ? <Bar sending={data} look={look} /> : null
}

function Bar({ sending, look }: { sending: Sending; look: () => Promise<Sending | undefined> }) {
  const { sending: texts } = useTexts()
  const { may } = useApp()
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { resume } = useStopAndResume()
  const askAndResume = async () => {
    const isSure = await confirm({
      title: texts.resumeTitle,
      text: texts.resumeText((await look()) ?? sending, format.number),
      confirmLabel: texts.resume,
    })
    if (!isSure) return
    await resume.mutateAsync().then((answer) => toast.done(texts.resumed(answer, format.number)), toast.failed)
  }
  const button = useRef<HTMLButtonElement>(null)
  // Whoever has just stopped or resumed pressed a button that is gone now.
  useEffect(() => {
    if (isFocusLost()) button.current?.focus({ preventScroll: true })
    return () => {
      if (isFocusLost()) document.getElementById('content')?.focus({ preventScroll: true })
    }
  }, [])
  const { since = 0 } = sending
  const isToday = format.day(since) === format.day(Date.now())
  return (
    <Alert color="red" icon={<IconHandStop />} mb="md" role="status">
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={600} size="sm">
            {texts.isStopped}
          </Text>
          <Text size="sm">
            {texts.since(isToday ? format.clock(since) : format.moment(since), sending.by)}{' '}
            {texts.waiting(sending, format.number)}
          </Text>
        </div>
        {may('operate') && (
          <Button
            ref={button}
            size="compact-sm"
            variant="default"
            loading={resume.isPending}
            onClick={() => void askAndResume()}
          >
            {texts.resume}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
