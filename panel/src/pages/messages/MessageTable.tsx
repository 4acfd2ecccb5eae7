import { Badge, Group, Stack, Text } from '@mantine/core'
import type { MessageLine } from '@peyk/contract'
import type { ReactNode } from 'react'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { Explained } from '../../parts/Explained.tsx'
import { openedOf, shareOf } from '../../parts/numbers/measures.ts'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { AudienceWords } from './AudienceWords.tsx'
import { MessageProgress } from './MessageStatus.tsx'
import classes from './MessageTable.module.css'

interface MessageTableProps {
  rows: readonly MessageLine[]
  empty: ReactNode
  /** On the page of a campaign it is known already. */
  hidesCampaign?: boolean
}

export function MessageTable({ rows, empty, hidesCampaign = false }: MessageTableProps) {
  const { messages: texts, shell } = useTexts()
  const format = useFormat()
  const go = useGo()
  const share = (part: number, whole: number) => {
    const found = shareOf(part, whole)
    return found === undefined ? '–' : format.percent(found)
  }
  const columns: Column<MessageLine>[] = [
    {
      key: 'message',
      label: texts.message,
      cell: (row) => <Title row={row} hidesCampaign={hidesCampaign} />,
    },
    {
      key: 'to',
      label: texts.to,
      isExtra: true,
      width: 170,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" component="div">
            <AudienceWords message={row} />
          </Text>
          <Text size="xs" c="dimmed">
            {texts.devices(row.count, format.number(row.count))}
          </Text>
        </Stack>
      ),
    },
    { key: 'status', label: texts.status, width: 150, cell: (row) => <MessageProgress message={row} /> },
    {
      key: 'delivered',
      label: <Explained text={texts.deliveredHint}>{texts.delivered}</Explained>,
      isNumber: true,
      isExtra: true,
      width: 105,
      cell: ({ states }) => <Share count={states.delivered} share={share(states.delivered, states.sent)} />,
    },
    {
      key: 'opened',
      label: <Explained text={texts.openedHint}>{texts.opened}</Explained>,
      isNumber: true,
      isExtra: true,
      width: 110,
      cell: ({ states }) => {
        const opened = openedOf(states)
        return <Share count={opened} share={share(opened, states.delivered)} />
      },
    },
    {
      key: 'when',
      label: texts.when,
      width: 130,
      isExtra: true,
      cell: ({ createdAt }) => (
        <Text size="sm" c="dimmed" title={format.moment(createdAt)}>
          {format.ago(createdAt)}
        </Text>
      ),
    },
  ]
  return (
    <DataTable
      label={shell.messages}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      onRow={({ id }) => go(`/messages/${id}`)}
      empty={empty}
    />
  )
}

function Title({ row, hidesCampaign }: { row: MessageLine; hidesCampaign: boolean }) {
  const { messages: texts } = useTexts()
  const format = useFormat()
  const { title, text } = row
  const line = useStoredLine()
  return (
    <Stack gap={2} miw={150} className={classes.title}>
      <Text component="div" fw={600} size="sm" truncate {...line}>
        <AppLink to={`/messages/${row.id}`} inherit>
          {title ?? text ?? texts.noText}
        </AppLink>
      </Text>
      {title !== undefined && text !== undefined && (
        <Text size="sm" c="dimmed" truncate {...line}>
          {text}
        </Text>
      )}
      <Group gap="xs" style={{ rowGap: 0 }}>
        {row.trackId !== undefined && !hidesCampaign && (
          <AppLink to={`/campaigns/${encodeURIComponent(row.trackId)}`} size="xs" c="dimmed">
            {row.trackId}
          </AppLink>
        )}
        {row.isTest && (
          <Badge variant="default" size="xs" tt="none" fw={500}>
            {texts.test}
          </Badge>
        )}
        {row.silent && (
          <Text size="xs" c="dimmed">
            {texts.silent}
          </Text>
        )}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {texts.devices(row.count, format.number(row.count))} · {format.ago(row.createdAt)}
        </Text>
      </Group>
    </Stack>
  )
}

function Share({ count, share }: { count: number; share: string }) {
  const format = useFormat()
  return (
    <Stack gap={0}>
      <Text size="sm" fw={600}>
        {share}
      </Text>
      <Text size="xs" c="dimmed">
        {format.number(count)}
      </Text>
    </Stack>
  )
}
