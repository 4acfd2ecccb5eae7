import { Grid, Group, Stack, Text } from '@mantine/core'
import type { MessageDetail } from '@peyk/contract'
import type { ReactNode } from 'react'
import { useSayWhen, whenOf } from '#parts/hooks/use-say-when.ts'
import { PageHead } from '#parts/PageHead.tsx'
import { Panel } from '#parts/Panel.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { MessageActions } from '../MessageActions.tsx'
import { StatusBadge } from '../MessageStatus.tsx'
import { statusOf } from '../message-status.ts'
import { titleOf } from '../message-title.ts'
import { MessageFacts } from './MessageFacts.tsx'
import { MessagePreview } from './MessagePreview.tsx'

/** A message that goes later, or was cancelled before: when, to how many, and what it says. */
export function ScheduledView({ message, above }: { message: MessageDetail; above: ReactNode }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const { sendAt = message.createdAt } = message
  const isCancelled = message.cancelledAt !== undefined
  return (
    <>
      <PageHead
        title={titleOf(message) ?? texts.noText}
        above={above}
        lead={
          <Group gap="md">
            <StatusBadge status={statusOf(message)} />
            <Text span size="sm">
              {texts.devices(message.count, format.number(message.count))}
            </Text>
          </Group>
        }
        actions={<MessageActions message={message} />}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <Panel>
              <Text fz="lg" fw={600}>
                {isCancelled
                  ? texts.scheduled.wasCancelled(sayWhen(whenOf(message)))
                  : texts.scheduled.goesAt(sayWhen(whenOf(message)), format.ago(sendAt))}
              </Text>
              {!isCancelled && message.localTime && (
                <Text size="sm">{texts.scheduled.late[message.localTime.late]}</Text>
              )}
              {!isCancelled && (
                <Text size="sm" c="dimmed">
                  {texts.scheduled.waiting}
                </Text>
              )}
            </Panel>
            <MessageFacts message={message} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <MessagePreview message={message} />
        </Grid.Col>
      </Grid>
    </>
  )
}
