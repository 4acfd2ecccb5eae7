import { Grid, Group, List, Stack, Text } from '@mantine/core'
import type { MessageDetail, Series } from '@peyk/contract'
import { IconRepeatOff } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFault } from '../../api/call.ts'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { BackLink } from '../../parts/BackLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { occursAt, useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { Mono } from '../../parts/Mono.tsx'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useRuleWords } from '../../parts/repeat/use-rule-words.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { FactList } from '../messages/detail/FactList.tsx'
import { MessagePreview } from '../messages/detail/MessagePreview.tsx'
import { titleOf } from '../messages/message-title.ts'
import { useSeries } from './queries.ts'
import { SeriesActions } from './SeriesActions.tsx'
import { SeriesBadge } from './SeriesBadge.tsx'

/** A message that repeats: its rule, what is next, and what became of the last ones. */
export function SeriesPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { series: texts } = useTexts()
  const series = useSeries(id)
  if (series.error instanceof ApiFault && series.error.status === 404) {
    return (
      <>
        <PageHead title={texts.toSeries} above={<Back />} />
        <Panel>
          <EmptyState icon={IconRepeatOff} title={texts.notThere} text={texts.notThereText} />
        </Panel>
      </>
    )
  }
  return (
    <>
      {series.data === undefined && <PageHead title={texts.toSeries} above={<Back />} />}
      <Answer of={series}>{(data) => <Shown series={data} />}</Answer>
    </>
  )
}

function Back() {
  const { series: texts } = useTexts()
  return (
    <BackLink to="/messages" search={{ kind: 'scheduled' }}>
      {texts.toList}
    </BackLink>
  )
}

function Shown({ series }: { series: Series }) {
  const { series: texts, messages } = useTexts()
  const { may } = useApp()
  const format = useFormat()
  const say = useRuleWords()
  const { sent, skipped, missed } = series
  return (
    <>
      <PageHead
        title={titleOf(series.message) ?? messages.noText}
        above={<Back />}
        lead={
          <Group gap="md">
            <SeriesBadge state={series.state} />
            <Text span size="sm">
              {say(series.repeat, series.localTime ?? series.sendAt)}
            </Text>
            <Text span size="sm">
              {texts.counts(sent, skipped, missed, format.number)}
            </Text>
          </Group>
        }
        actions={may('operate') && series.state !== 'ended' && <SeriesActions series={series} />}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack>
            {series.state !== 'ended' && <NextPanel series={series} />}
            <StoryPanel series={series} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            <MessagePreview message={series.message as MessageDetail} />
            <FactsPanel series={series} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  )
}

function NextPanel({ series }: { series: Series }) {
  const { series: texts } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const isLocal = series.localTime !== undefined
  return (
    <Panel title={texts.nextTitle} lead={series.state === 'paused' ? texts.nextPaused : texts.nextLead}>
      {series.next.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.nothingNext}
        </Text>
      ) : (
        <List listStyleType="none" spacing="xs" data-next>
          {series.next.map(({ id, sendAt, isChanged }) => (
            <List.Item key={id}>
              <Group gap="sm">
                <AppLink to={`/messages/${id}`} size="sm">
                  {isLocal ? sayWhen(occursAt(sendAt, true)) : `${format.weekday(sendAt)}, ${format.clock(sendAt)}`}
                </AppLink>
                <Text span size="xs" c="dimmed">
                  {format.ago(sendAt)}
                  {isChanged && ` · ${texts.changed}`}
                </Text>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  )
}

function StoryPanel({ series }: { series: Series }) {
  const { series: texts } = useTexts()
  const sayWhen = useSayWhen()
  const isLocal = series.localTime !== undefined
  return (
    <Panel title={texts.storyTitle}>
      {series.story.length === 0 ? (
        <Text size="sm" c="dimmed">
          {texts.noStory}
        </Text>
      ) : (
        <List listStyleType="none" spacing="xs">
          {series.story.map(({ at, what, messageId }) => (
            <List.Item key={at}>
              <Group gap="sm">
                {messageId === undefined ? (
                  <Text span size="sm">
                    {sayWhen(occursAt(at, isLocal))}
                  </Text>
                ) : (
                  <AppLink to={`/messages/${messageId}`} size="sm">
                    {sayWhen(occursAt(at, isLocal))}
                  </AppLink>
                )}
                <Text span size="sm" c="dimmed">
                  {texts.story[what]}
                </Text>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Panel>
  )
}

function FactsPanel({ series }: { series: Series }) {
  const { series: texts, messages } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const { repeat, createdBy } = series
  const facts: [ReactNode, ReactNode][] = [
    [messages.to, messages.devices(series.message.count, format.number(series.message.count))],
    [texts.fact.start, sayWhen(series.localTime ?? series.sendAt)],
    ...(repeat.until === undefined ? [] : [[texts.fact.until, format.moment(repeat.until)] as [ReactNode, ReactNode]]),
    ...(repeat.count === undefined
      ? []
      : [[texts.fact.count, texts.times(repeat.count, format.number(repeat.count))] as [ReactNode, ReactNode]]),
    [texts.fact.zone, <Mono key="zone">{repeat.zone}</Mono>],
    [texts.fact.raw, <Mono key="rule">{repeat.rule}</Mono>],
    ...(createdBy === undefined ? [] : [[texts.fact.by, <bdi key="by">{createdBy}</bdi>] as [ReactNode, ReactNode]]),
    [
      messages.fact.id,
      <Text key="id" span size="xs">
        <Mono copy>{series.id}</Mono>
      </Text>,
    ],
  ]
  return (
    <Panel title={messages.facts}>
      <FactList facts={facts} />
    </Panel>
  )
}
