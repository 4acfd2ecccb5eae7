import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import type { DeliveryReason, DeliveryState, MessageDetail } from '@peyk/contract'
import { type FormEvent, useState } from 'react'
import { Answer } from '#parts/Answer.tsx'
import { Panel } from '#parts/Panel.tsx'
import { PlatformMark } from '#parts/PlatformMark.tsx'
import { Quote } from '#parts/Quote.tsx'
import { type Column, DataTable } from '#parts/tables/DataTable.tsx'
import { DownloadButton } from '#parts/tables/DownloadButton.tsx'
import { MoreButton } from '#parts/tables/MoreButton.tsx'
import { useFormat, useTexts } from '#texts/LanguageProvider.tsx'
import { type DeliveryFilter, type DeliveryLine, useDeliveries } from '../queries.ts'
import classes from './DeliveriesPanel.module.css'
import { sayDetail } from './render-timeline.ts'

interface DeliveriesPanelProps {
  message: MessageDetail
  filter: DeliveryFilter
  onFilter(filter: Record<keyof DeliveryFilter, string | undefined>): void
  onUser(userId: string): void
}

export function DeliveriesPanel({ message, filter, onFilter, onUser }: DeliveriesPanelProps) {
  const { messages: texts } = useTexts()
  const moves = Object.values(message.states).reduce((sum, count) => sum + count, 0)
  // A long list, far down the page: asked for when somebody gets there, or past it.
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: '100000px 0px 0px 0px' })
  const [isSeen, setIsSeen] = useState(false)
  if (entry?.isIntersecting && !isSeen) setIsSeen(true)
  const list = useDeliveries(message.id, filter, moves, isSeen)
  return (
    <Panel
      flush
      title={<span id="deliveries">{texts.deliveries}</span>}
      lead={texts.deliveriesLead}
      actions={<DownloadButton path={`/messages/${message.id}/deliveries`} fileName="deliveries" hasParquet />}
    >
      <Group ref={ref} px="md" pb="sm" gap="sm" align="flex-end">
        <Filters filter={filter} onFilter={onFilter} />
        <AskForUser onUser={onUser} />
      </Group>
      <Answer of={list}>
        {({ pages }) => (
          <>
            <Deliveries rows={pages.flatMap(({ data }) => data)} message={message} onUser={onUser} />
            <MoreButton of={list} />
          </>
        )}
      </Answer>
    </Panel>
  )
}

function Filters({ filter, onFilter }: Pick<DeliveriesPanelProps, 'filter' | 'onFilter'>) {
  const { common, messages: texts } = useTexts()
  const states = Object.entries(common.states).map(([value, label]) => ({ value, label }))
  const reasons = Object.entries(texts.reasons).map(([value, { title }]) => ({ value, label: title }))
  return (
    <>
      <Select
        aria-label={texts.state}
        placeholder={texts.anyState}
        data={states}
        value={filter.state ?? null}
        onChange={(state) =>
          onFilter({ state: state ?? undefined, reason: state === 'ended' ? filter.reason : undefined })
        }
        clearable
        w={180}
      />
      {filter.state === 'ended' && (
        <Select
          aria-label={texts.reason}
          placeholder={texts.anyReason}
          data={reasons}
          value={filter.reason ?? null}
          onChange={(reason) => onFilter({ ...filter, reason: reason ?? undefined })}
          clearable
          w={240}
        />
      )}
    </>
  )
}

function AskForUser({ onUser }: Pick<DeliveriesPanelProps, 'onUser'>) {
  const { messages: texts } = useTexts()
  const [typed, setTyped] = useState('')
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') onUser(typed.trim())
  }
  return (
    <form onSubmit={ask} style={{ marginInlineStart: 'auto' }}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={texts.story}
          placeholder={texts.timelineHint}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default" style={{ flexShrink: 0 }}>
          {texts.timelineAsk}
        </Button>
      </Group>
    </form>
  )
}

const stateColors: Record<DeliveryState, string> = {
  queued: 'gray',
  sent: 'blue',
  delivered: 'cyan',
  shown: 'teal',
  opened: 'green',
  acted: 'violet',
  dismissed: 'yellow',
  ended: 'red',
}

export function StateBadge({ state, reason }: { state: DeliveryState; reason?: DeliveryReason | undefined }) {
  const { common, messages: texts } = useTexts()
  return (
    <Badge variant="dot" color={stateColors[state]} tt="none" fw={600} className={classes.state as string}>
      {reason === undefined ? common.states[state] : texts.reasons[reason].title}
    </Badge>
  )
}

/** What else explains the state: what a provider said is quoted, unless the reason says as much. */
function Detail({ row: { detail, detailCode, detailProvider, reason } }: { row: DeliveryLine }) {
  const texts = useTexts()
  if (detail === undefined || reason === 'gone') return null
  const own = detailCode === undefined ? undefined : sayDetail(detailCode, detailProvider, texts)
  return (
    <Text size="xs" c="dimmed" lineClamp={2}>
      {own ?? <Quote>{detail}</Quote>}
    </Text>
  )
}

interface DeliveriesProps {
  rows: readonly DeliveryLine[]
  message: MessageDetail
  onUser(userId: string): void
}

function Deliveries({ rows, message, onUser }: DeliveriesProps) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const columns: Column<DeliveryLine>[] = [
    {
      key: 'user',
      label: texts.user,
      cell: ({ userId }) =>
        userId === undefined ? (
          <Text size="sm" c="dimmed">
            {texts.guest}
          </Text>
        ) : (
          <Button variant="subtle" size="compact-sm" px={4} ms={-4} fw={600} onClick={() => onUser(userId)} maw={260}>
            {userId}
          </Button>
        ),
    },
    {
      key: 'device',
      label: texts.device,
      isExtra: true,
      cell: ({ deviceType }) => (deviceType === undefined ? '–' : <PlatformMark deviceType={deviceType} />),
    },
    { key: 'state', label: texts.state, cell: (row) => <StateBadge state={row.state} reason={row.reason} /> },
    {
      key: 'way',
      label: texts.way,
      isExtra: true,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{row.provider === undefined ? '–' : (texts.ways[row.provider] ?? row.provider)}</Text>
          <Detail row={row} />
        </Stack>
      ),
    },
    {
      key: 'changed',
      label: texts.changed,
      isExtra: true,
      width: 180,
      cell: ({ updatedAt }) => (
        <Text size="sm" c="dimmed" title={format.moment(updatedAt)}>
          {format.ago(updatedAt)}
        </Text>
      ),
    },
  ]
  const isUnlisted = message.progress.waiting > 0 && message.audience !== 'users'
  return (
    <DataTable
      label={texts.deliveries}
      columns={columns}
      rows={rows}
      rowKey={(row) => row.installationId ?? `${row.userId} ${row.updatedAt}`}
      onRow={({ userId }) => userId !== undefined && onUser(userId)}
      empty={
        <Text c="dimmed" p="md">
          {isUnlisted ? texts.notExpanded : texts.noDeliveries}
        </Text>
      }
    />
  )
}
