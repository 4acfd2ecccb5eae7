import { Badge, Progress, Stack, Text } from '@mantine/core'
import type { MessageLine } from '@peyk/contract'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { isHeld, isUnderWay, type MessageStatus as Status, statusOf } from './message-status.ts'

const colors: Record<Status, string> = {
  scheduled: 'blue',
  waiting: 'gray',
  sending: 'courier',
  pausing: 'orange',
  paused: 'orange',
  stopped: 'orange',
  stopping: 'red',
  cancelled: 'red',
  tooLate: 'orange',
  recalled: 'red',
  done: 'green',
  nobody: 'gray',
}

export function StatusBadge({ status }: { status: Status }) {
  const { messages: texts } = useTexts()
  return (
    <Badge variant="dot" color={colors[status]} tt="none" fw={600} size="md" style={{ flexShrink: 0 }}>
      {texts.statuses[status]}
    </Badge>
  )
}

/** How a message stands, with a bar while it is on its way. */
export function MessageProgress({
  message,
}: {
  message: Pick<MessageLine, 'cancelledAt' | 'recalledAt' | 'count' | 'progress'>
}) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const status = statusOf(message)
  const { settled, total } = message.progress
  if (!isUnderWay(status)) return <StatusBadge status={status} />
  return (
    <Stack gap={6} miw={110} align="stretch">
      <div>
        <StatusBadge status={status} />
      </div>
      <ProgressBar message={message} />
      <Text size="xs" c="dimmed">
        {texts.progress(format.number(settled), format.number(total))}
      </Text>
    </Stack>
  )
}

export function ProgressBar({
  message,
}: {
  message: Pick<MessageLine, 'cancelledAt' | 'recalledAt' | 'count' | 'progress'>
}) {
  const { messages: texts } = useTexts()
  const status = statusOf(message)
  const { settled, total } = message.progress
  return (
    <Progress.Root size="sm">
      <Progress.Section
        value={total === 0 ? 0 : (settled / total) * 100}
        color={isHeld(status) || status === 'stopped' ? 'orange' : 'courier'}
        aria-label={texts.progressLabel}
      />
    </Progress.Root>
  )
}
