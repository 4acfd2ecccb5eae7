import { Badge, Group, Stack, Text } from '@mantine/core'
import type { UserMessages } from '@peyk/contract'
import { IconMessageOff } from '@tabler/icons-react'
import { AppLink } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { PlatformMark } from '../../parts/PlatformMark.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { PagedList } from './PagedList.tsx'
import { useUserMessages } from './queries.ts'
import classes from './UserMessages.module.css'

type Message = UserMessages['data'][number]

export function MessagesTab({ userId }: { userId: string }) {
  const { users: texts } = useTexts()
  const messages = useUserMessages(userId)
  return (
    <Panel>
      <PagedList
        of={messages}
        empty={<EmptyState icon={IconMessageOff} title={texts.noMessages} text={texts.noMessagesText} />}
      >
        {(items) => (
          <Stack gap={0}>
            {items.map((message) => (
              <MessageLine key={message.id} message={message} userId={userId} />
            ))}
          </Stack>
        )}
      </PagedList>
    </Panel>
  )
}

function MessageLine({ message, userId }: { message: Message; userId: string }) {
  const { common, users: texts } = useTexts()
  const format = useFormat()
  const line = useStoredLine()
  return (
    <div className={classes.line}>
      <Group justify="space-between" wrap="nowrap" align="baseline">
        <AppLink to={`/messages/${message.id}`} search={{ user: userId }} fw={600} size="sm" lineClamp={1} {...line}>
          {message.text === '' ? message.id : message.text}
        </AppLink>
        <Text size="xs" c="dimmed" style={{ flex: 'none' }} title={format.moment(message.acceptedAt)}>
          {format.ago(message.acceptedAt)}
        </Text>
      </Group>
      <Group gap="sm" mt={4}>
        <Text size="xs" c="dimmed">
          <Audience message={message} />
        </Text>
        {message.trackId !== undefined && (
          <AppLink to={`/campaigns/${encodeURIComponent(message.trackId)}`} size="xs">
            <bdi>{message.trackId}</bdi>
          </AppLink>
        )}
        {message.deliveries.map((delivery) => (
          <Group key={delivery.installationId} gap={6} wrap="nowrap">
            <PlatformMark deviceType={delivery.deviceType} />
            <StateBadge delivery={delivery} />
          </Group>
        ))}
        {message.isWaiting && (
          <Badge variant="default" size="sm" tt="none">
            {common.states.queued}
          </Badge>
        )}
        {message.deliveries.length === 0 && !message.isWaiting && (
          <Text size="xs" c="dimmed">
            {texts.noDelivery}
          </Text>
        )}
      </Group>
    </div>
  )
}

function Audience({ message: { audience, channel } }: { message: Message }) {
  const { users: texts } = useTexts()
  if (audience === 'users' || channel === undefined) return texts.audiences[audience]
  return texts.toChannel(channel.replace(/^public\//, ''))
}

function StateBadge({ delivery: { state, reason } }: { delivery: Message['deliveries'][number] }) {
  const { common, users: texts } = useTexts()
  const isEnd = state === 'ended'
  const isSeen = state === 'opened' || state === 'acted'
  const label =
    (isEnd
      ? texts.reasons[reason as keyof typeof texts.reasons]
      : common.states[state as keyof typeof common.states]) ?? state
  return (
    <Badge
      variant="light"
      size="sm"
      tt="none"
      color={isEnd ? 'red' : isSeen ? 'green' : 'courier'}
      c={isEnd ? 'var(--mantine-color-error)' : isSeen ? 'var(--peyk-good)' : 'var(--mantine-color-text)'}
    >
      {label}
    </Badge>
  )
}
