import { Grid, Group, Stack, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { DeliveryReason, DeliveryState, MessageDetail } from '@peyk/contract'
import { IconMessageOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { ApiFault } from '../../api/call.ts'
import { Answer } from '../../parts/Answer.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { HourBars } from '../../parts/charts/HourBars.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useNow } from '../../parts/hooks/use-now.ts'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { useWaitingWords } from '../../parts/hooks/use-waiting-words.ts'
import { isKeyOf } from '../../parts/is-key-of.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { DeliveriesPanel } from './detail/DeliveriesPanel.tsx'
import { MessageFacts } from './detail/MessageFacts.tsx'
import { MessagePreview } from './detail/MessagePreview.tsx'
import { Conversions, MessageResults } from './detail/MessageResults.tsx'
import { OpensPanel } from './detail/OpensPanel.tsx'
import { isConfirming } from './detail/outcome/is-confirming.ts'
import { MessageFunnel } from './detail/outcome/MessageFunnel.tsx'
import { MissedReasons } from './detail/outcome/MissedReasons.tsx'
import { Verdict } from './detail/outcome/Verdict.tsx'
import { ScheduledView } from './detail/ScheduledView.tsx'
import { StopNote } from './detail/StopNote.tsx'
import { TimelineDrawer } from './detail/TimelineDrawer.tsx'
import { VariantsPanel } from './detail/variants/VariantsPanel.tsx'
import { MessageActions } from './MessageActions.tsx'
import { ProgressBar, StatusBadge } from './MessageStatus.tsx'
import { hasNotStarted, isUnderWay, statusOf } from './message-status.ts'
import { titleOf } from './message-title.ts'
import { useMessage } from './queries.ts'

export function MessagePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { messages: texts, shell } = useTexts()
  const message = useMessage(id)
  const isMissing = message.error instanceof ApiFault && message.error.status === 404
  if (isMissing) {
    return (
      <>
        <PageHead title={shell.messages} above={<Back />} />
        <Panel>
          <EmptyState icon={IconMessageOff} title={texts.notThere} text={texts.notThereText} />
        </Panel>
      </>
    )
  }
  return (
    <>
      {message.data === undefined && <PageHead title={shell.messages} above={<Back />} />}
      <Answer of={message}>
        {(data) => (hasNotStarted(data) ? <ScheduledView message={data} above={<Back />} /> : <Shown message={data} />)}
      </Answer>
    </>
  )
}

function Back() {
  const { messages: texts } = useTexts()
  return <BackLink to="/messages">{texts.toList}</BackLink>
}

function Shown({ message }: { message: MessageDetail }) {
  const { messages: texts, common } = useTexts()
  const [{ state = '', reason = '', user }, change] = usePageSearch()
  const title = titleOf(message) ?? texts.noText
  const now = useNow()
  const isWide = useMediaQuery('(min-width: 75em)', true)
  const show = (filter: { state: DeliveryState; reason: DeliveryReason | undefined }) => {
    change(filter)
    document.getElementById('deliveries')?.scrollIntoView({ block: 'start' })
  }
  const devices = (
    <DeliveriesPanel
      message={message}
      filter={{
        state: isKeyOf(common.states, state) ? state : undefined,
        reason: isKeyOf(texts.reasons, reason) ? reason : undefined,
      }}
      onFilter={change}
      onUser={(userId) => change({ user: userId })}
    />
  )
  return (
    <>
      <PageHead
        title={title}
        above={<Back />}
        lead={<Lead message={message} />}
        actions={<MessageActions message={message} />}
      />
      <Stack mb="md" data-counted={message.at}>
        <Verdict message={message} />
        <StopNote message={message} />
        <Underway message={message} />
        <MessageFunnel
          message={message}
          isConfirming={isConfirming(message, now)}
          onUnconfirmed={() => show({ state: 'sent', reason: undefined })}
        />
      </Stack>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            <VariantsPanel message={message} />
            <MissedReasons reasons={message.reasons} onShow={(each) => show({ state: 'ended', reason: each })} />
            <OpensPanel message={message} />
            {isWide && devices}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <MessagePreview message={message} />
            {message.test && <Conversions test={message.test} />}
            <MessageResults message={message} />
            <MessageFacts message={message} />
          </Stack>
        </Grid.Col>
        {!isWide && <Grid.Col span={12}>{devices}</Grid.Col>}
      </Grid>
      <TimelineDrawer message={message} user={user || undefined} onClose={() => change({ user: undefined })} />
    </>
  )
}

function Lead({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  return (
    <Group gap="md">
      <StatusBadge status={statusOf(message)} />
      <Text span size="sm" title={format.moment(message.createdAt)}>
        {format.moment(message.createdAt)}
      </Text>
      <Text span size="sm">
        {texts.devices(message.count, format.number(message.count))}
      </Text>
    </Group>
  )
}

function Underway({ message }: { message: MessageDetail }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const waitingWords = useWaitingWords()
  if (!isUnderWay(statusOf(message))) return null
  const {
    settled,
    total,
    inInbox = 0,
    ratePerSecond,
    perMinute,
    etaSeconds,
    waitingFor,
    waitingUntil,
  } = message.progress
  return (
    <Panel>
      <Group justify="space-between" mb="xs">
        <Text fw={600}>{texts.progress(format.number(settled), format.number(total))}</Text>
        <Group gap="md">
          {inInbox > 0 && (
            <Text size="sm" c="dimmed">
              {texts.inInbox(inInbox, format.number(inInbox))}
            </Text>
          )}
          {waitingFor !== undefined && (
            <Text size="sm" c="dimmed">
              {waitingWords(waitingFor)}
            </Text>
          )}
          {ratePerSecond !== undefined &&
            ratePerSecond > 0 &&
            waitingFor === undefined &&
            waitingUntil === undefined && (
              <Text size="sm" c="dimmed">
                {texts.rate(format.number(ratePerSecond))}
              </Text>
            )}
          {perMinute !== undefined && (
            <Text size="sm" c="dimmed">
              {texts.pace(format.number(perMinute))}
            </Text>
          )}
          {etaSeconds !== undefined && etaSeconds > 0 && (
            <Text size="sm" c="dimmed">
              {texts.eta(format.duration(etaSeconds))}
            </Text>
          )}
        </Group>
      </Group>
      <ProgressBar message={message} />
      {waitingUntil !== undefined && (
        <>
          <Text size="sm" c="dimmed" mt="sm" mb={4}>
            {texts.waitingUntil}
          </Text>
          <HourBars hours={waitingUntil} label={texts.waitingUntil} />
        </>
      )}
    </Panel>
  )
}
