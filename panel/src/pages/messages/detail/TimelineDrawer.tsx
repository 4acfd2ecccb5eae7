import { Drawer, Group, Stack, Text, Timeline, Title } from '@mantine/core'
import type { MessageDetail, TimelineFact } from '@peyk/contract'
import {
  type Icon,
  IconAlertTriangle,
  IconArrowRampRight,
  IconArrowsSplit2,
  IconCheck,
  IconClock,
  IconDeviceMobile,
  IconInbox,
  IconLanguage,
  IconPlayerPause,
  IconSend,
  IconTargetOff,
  IconX,
} from '@tabler/icons-react'
import { Fragment } from 'react'
import { Answer } from '#parts/Answer.tsx'
import { AppLink } from '#parts/AppLink.tsx'
import { useNow } from '#parts/hooks/use-now.ts'
import { Mono } from '#parts/Mono.tsx'
import { Panel } from '#parts/Panel.tsx'
import { PlatformMark } from '#parts/PlatformMark.tsx'
import { Quote } from '#parts/Quote.tsx'
import { useSegmentWords } from '#parts/segment-builder/SegmentSentence.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { type Story, useTimeline } from '../queries.ts'
import { buttonLabels } from './button-labels.ts'
import { StateBadge } from './DeliveriesPanel.tsx'
import { isConfirming } from './outcome/is-confirming.ts'
import { renderFact } from './render-timeline.ts'

type Buttons = ReturnType<typeof buttonLabels>

interface TimelineDrawerProps {
  message: MessageDetail
  user: string | undefined
  onClose(): void
}

/** What became of a message on each device of one user, and why. */
export function TimelineDrawer({ message, user, onClose }: TimelineDrawerProps) {
  const { messages: texts, common } = useTexts()
  const story = useTimeline(message.id, user)
  return (
    <Drawer
      opened={user !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={texts.timelineOf(user ?? '')}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <Answer of={story}>{(data) => <Stories message={message} story={data} />}</Answer>
    </Drawer>
  )
}

function Stories({ message, story }: { message: MessageDetail; story: Story }) {
  const { messages: texts } = useTexts()
  const now = useNow()
  const buttons = buttonLabels(message)
  const isUnknown = story.says?.some(({ code }) => code === 'unknown-user')
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" style={{ flex: 1 }}>
          <Sentences of={story} buttons={buttons} />
        </Text>
        {!isUnknown && (
          <AppLink to={`/users/${encodeURIComponent(story.user)}`} size="sm">
            {texts.toUser}
          </AppLink>
        )}
      </Group>
      {inOrder(story.installations).map((installation) => (
        <Panel key={installation.installationId}>
          <Group justify="space-between" mb="md">
            <Title order={3} size="h6">
              <PlatformMark deviceType={installation.deviceType} />
            </Title>
            {installation.state && <StateBadge state={installation.state} reason={installation.reason} />}
          </Group>
          <Lines lines={installation.story} buttons={buttons} />
          {installation.state === 'sent' && (
            <Text size="sm" mt="sm">
              {isConfirming(message, now) ? texts.confirming : texts.unconfirmed}
            </Text>
          )}
          <Text size="xs" c="dimmed" mt="sm">
            <Mono>{installation.installationId}</Mono>
          </Text>
        </Panel>
      ))}
      {story.fallback && (
        <Panel title={texts.sms} order={3}>
          <Text size="sm" fw={600}>
            {texts.smsStates[story.fallback.state] ?? story.fallback.state}
          </Text>
          <Text size="sm" c="dimmed">
            {texts.tell.sms[story.fallback.state] ?? story.fallback.text}{' '}
            {story.fallback.detail !== undefined && <Quote>{story.fallback.detail}</Quote>}
          </Text>
        </Panel>
      )}
    </Stack>
  )
}

interface SentencesProps {
  of: { text: string; says?: TimelineFact[] }
  buttons: Buttons
}

/** In the language of the page, or in the service's words where it says something new. */
function Sentences({ of: { text, says = [] }, buttons }: SentencesProps) {
  const texts = useTexts()
  const format = useFormat()
  const segments = useSegmentWords()
  const said = says.map((fact) => renderFact(fact, texts, format, buttons, segments))
  if (said.length === 0 || said.includes(undefined)) return <bdi lang="en">{text}</bdi>
  return said.map((each, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: sentences have an order and no names
    <Fragment key={index}>
      {index > 0 && ' '}
      {each?.text}
      {each?.quote !== undefined && (
        <>
          {' '}
          <Quote>{each.quote}</Quote>
        </>
      )}
    </Fragment>
  ))
}

/** Those first that the message was meant for. */
function inOrder(installations: Story['installations']): Story['installations'] {
  return installations.toSorted((one, other) => Number(other.state !== undefined) - Number(one.state !== undefined))
}

const signs: Record<string, Icon> = {
  accepted: IconInbox,
  matched: IconCheck,
  'not-matched': IconTargetOff,
  language: IconLanguage,
  variant: IconArrowsSplit2,
  path: IconArrowRampRight,
  attempt: IconAlertTriangle,
  sent: IconSend,
  receipt: IconDeviceMobile,
  paused: IconPlayerPause,
  expired: IconClock,
  waiting: IconClock,
  ended: IconX,
  uninstalled: IconX,
}

function Lines({ lines, buttons }: { lines: Story['installations'][number]['story']; buttons: Buttons }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const kinds = texts.kindsOfTimeline as Record<string, string>
  return (
    <Timeline active={lines.length} bulletSize={26} lineWidth={2}>
      {lines.map((line, index) => {
        const { kind, at } = line
        const Sign = signs[kind] ?? IconCheck
        return (
          <Timeline.Item
            // biome-ignore lint/suspicious/noArrayIndexKey: a story has an order and no names
            key={index}
            bullet={<Sign size={14} aria-hidden />}
            title={
              <Group gap="xs" justify="space-between">
                <Text fw={600} size="sm">
                  {kinds[kind] ?? kind}
                </Text>
                {at !== undefined && (
                  <Text size="xs" c="dimmed" title={format.time(at)}>
                    {format.moment(at)}
                  </Text>
                )}
              </Group>
            }
          >
            <Text size="sm" c="dimmed">
              <Sentences of={line} buttons={buttons} />
            </Text>
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}
