import { ActionIcon, Badge, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import type { MessageLine } from '@peyk/contract'
import { IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { AppLink } from '../../parts/AppLink.tsx'
import { useConfirm } from '../../parts/Confirm.tsx'
import { useToast } from '../../parts/hooks/use-toast.ts'
import { useWaitingWords } from '../../parts/hooks/use-waiting-words.ts'
import { Panel } from '../../parts/Panel.tsx'
import { StopAllButton } from '../../parts/stop-all/StopAllButton.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { keptBack } from '../messages/message-status.ts'
import { useOperateMessage } from './queries.ts'

/** What goes out at this moment, as it goes. */
export function SendingNow({ messages }: { messages: readonly MessageLine[] }) {
  const { overview: t } = useTexts()
  const sending = messages.filter(({ progress, cancelledAt }) => progress.waiting > 0 && cancelledAt === undefined)
  if (sending.length === 0) return null
  return (
    <Panel title={t.sendingNow} actions={<StopAllButton size="xs" />}>
      <Stack gap="md" aria-live="off">
        {sending.map((message) => (
          <SendingMessage key={message.id} message={message} />
        ))}
      </Stack>
    </Panel>
  )
}

function SendingMessage({ message }: { message: MessageLine }) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const { may } = useApp()
  const { id, progress, title, text, trackId } = message
  const waitingWords = useWaitingWords()
  const isPaused = progress.paused === true
  const isHeld = isPaused || progress.stopped === true
  const name = title ?? text ?? trackId ?? id
  const facts = [
    t.sendingCount(format.number(progress.settled), format.number(progress.total)),
    ...(progress.waitingFor ? [waitingWords(progress.waitingFor)] : []),
    ...(progress.ratePerSecond && !progress.waitingFor
      ? [t.perSecond(format.number(Math.round(progress.ratePerSecond)))]
      : []),
    ...(progress.etaSeconds !== undefined ? [t.stillTakes(format.duration(progress.etaSeconds))] : []),
  ]
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="sm" mb={6}>
        <Group gap="xs" style={{ minWidth: 0 }}>
          <AppLink to={`/messages/${id}`} fw={600} truncate>
            {name}
          </AppLink>
          {trackId !== undefined && (
            <Text size="sm" c="dimmed">
              {trackId}
            </Text>
          )}
          {isHeld && (
            <Badge variant="light" color="yellow">
              {isPaused ? t.paused : t.stopped}
            </Badge>
          )}
        </Group>
        {may('operate') && <SendingActions message={message} isPaused={isPaused} />}
      </Group>
      <Progress
        value={progress.total === 0 ? 0 : (100 * progress.settled) / progress.total}
        size="lg"
        animated={!isHeld && !progress.waitingFor}
        color={isHeld ? 'yellow' : 'courier'}
        aria-label={name}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {facts.join(' · ')}
      </Text>
    </div>
  )
}

function SendingActions({ message: { id, progress }, isPaused }: { message: MessageLine; isPaused: boolean }) {
  const { overview: t } = useTexts()
  const format = useFormat()
  const confirm = useConfirm()
  const toast = useToast()
  const { pause, resume, cancel } = useOperateMessage()
  const stop = async () => {
    const isSure = await confirm({
      title: t.stopTitle,
      text: t.cancelText(keptBack(progress), progress.inFlight ?? 0, format.number),
      confirmLabel: t.stopConfirm,
      refuseLabel: t.keepSending,
      danger: true,
    })
    if (!isSure) return
    await cancel
      .mutateAsync({ id })
      .then(({ count, inFlight }) => toast.done(t.cancelled(count, inFlight, format.number)), toast.failed)
  }
  const change = isPaused ? resume : pause
  const Sign = isPaused ? IconPlayerPlay : IconPlayerPause
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label={isPaused ? t.resume : t.pause}>
        <ActionIcon
          variant="subtle"
          aria-label={isPaused ? t.resume : t.pause}
          loading={change.isPending}
          onClick={() => change.mutate({ id }, { onError: toast.failed })}
        >
          <Sign size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t.stop}>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={t.stop}
          loading={cancel.isPending}
          onClick={() => void stop()}
        >
          <IconX size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
