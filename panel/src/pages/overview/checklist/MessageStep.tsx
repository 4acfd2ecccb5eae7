import { Button, Group, Stack, Text } from '@mantine/core'
import type { Checklist, LiveData, panelTestSend } from '@peyk/contract'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useLive } from '#api/live.ts'
import { useApp } from '#api/use-app.ts'
import { useAppMutation } from '#api/use-app-query.ts'
import { AppLink, useLinkTo } from '#parts/AppLink.tsx'
import { DocsLink } from '#parts/DocsLink.tsx'
import { Fault } from '#parts/Fault.tsx'
import { useTexts } from '#texts/LanguageProvider.tsx'

/** One press sends a message to the device that was seen, and what becomes of it is told here. */
export function MessageStep({ isDone, device }: { isDone: boolean; device: Checklist['device'] }) {
  const { message: t } = useTexts().checklist
  const { may, name } = useApp()
  const linkTo = useLinkTo()
  const send = useAppMutation<typeof panelTestSend>('POST', '/send/test', { refreshes: ['/messages'] })
  const messageId = send.data?.sent[0]?.id
  if (!may('send-to-one')) {
    return (
      <Text size="sm" c="dimmed">
        {t.notAllowed}
      </Text>
    )
  }
  if (device === undefined) return <Text size="sm">{t.noDevice}</Text>
  return (
    <Stack gap="sm">
      <Text size="sm">{t.text}</Text>
      <Group gap="md">
        <Button
          variant={isDone ? 'default' : 'filled'}
          leftSection={<IconSend size={16} />}
          loading={send.isPending}
          onClick={() =>
            send.mutate({
              product: 'message',
              content: t.content,
              notification: { title: name, body: t.content },
              installationIds: [device.installationId],
            })
          }
        >
          {t.send}
        </Button>
        <Button variant="subtle" renderRoot={linkTo('/send', { user: device.userId })}>
          {t.compose}
        </Button>
        <DocsLink place="sendToUsers" />
      </Group>
      {send.isError && <Fault error={send.error} />}
      {messageId !== undefined && <TestState key={messageId} messageId={messageId} />}
    </Stack>
  )
}

function TestState({ messageId }: { messageId: string }) {
  const { message: t } = useTexts().checklist
  const [counts, setCounts] = useState<LiveData['message']>()
  useLive('message', setCounts, { message: messageId })
  return (
    <Text size="sm" role="status">
      {t.states[stateOf(counts)]}{' '}
      <AppLink to={`/messages/${messageId}`} underline="always">
        {t.details}
      </AppLink>
    </Text>
  )
}

function stateOf(counts: LiveData['message'] | undefined): 'waiting' | 'sent' | 'arrived' | 'ended' {
  if (counts === undefined) return 'waiting'
  const { ended, delivered, sent } = counts.states
  if (ended > 0) return 'ended'
  if (delivered > 0) return 'arrived'
  return sent > 0 ? 'sent' : 'waiting'
}
