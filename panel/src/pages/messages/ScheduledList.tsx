import { Stack, Text } from '@mantine/core'
import type { Message } from '@peyk/contract'
import { IconCalendarTime } from '@tabler/icons-react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { useSayWhen, whenOf } from '../../parts/hooks/use-say-when.ts'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { AudienceWords } from './AudienceWords.tsx'
import { titleOf } from './message-title.ts'
import { useScheduled } from './queries.ts'

/** What goes later, the next one first. */
export function ScheduledList() {
  const { messages: texts, series } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const go = useGo()
  const list = useScheduled()
  const line = useStoredLine()
  const columns: Column<Message>[] = [
    {
      key: 'message',
      label: texts.message,
      cell: (row) => (
        <Stack gap={0} miw={150}>
          <Text component="div" fw={600} size="sm" truncate {...line}>
            <AppLink to={`/messages/${row.id}`} inherit>
              {titleOf(row) ?? texts.noText}
            </AppLink>
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {sayWhen(whenOf(row))} · {texts.devices(row.count, format.number(row.count))}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'to',
      label: texts.to,
      isExtra: true,
      width: 200,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm" component="div">
            <AudienceWords message={{ ...row, isToAll: isToAll(row) }} />
          </Text>
          <Text size="xs" c="dimmed">
            {texts.devices(row.count, format.number(row.count))}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'goes',
      label: texts.scheduled.goes,
      isExtra: true,
      width: 200,
      cell: (row) => (
        <Stack gap={0}>
          <Text size="sm">{sayWhen(whenOf(row))}</Text>
          <Text size="xs" c="dimmed">
            {format.ago(row.sendAt ?? 0)}
            {row.seriesId !== undefined && ` · ${series.repeats}`}
          </Text>
        </Stack>
      ),
    },
  ]
  const { scheduled } = texts
  return (
    <Answer of={list}>
      {({ pages }) => (
        <>
          <DataTable
            label={scheduled.label}
            columns={columns}
            rows={pages.flatMap(({ data }) => data)}
            rowKey={({ id }) => id}
            onRow={({ id }) => go(`/messages/${id}`)}
            empty={<EmptyState icon={IconCalendarTime} title={scheduled.none} text={scheduled.noneText} />}
          />
          <MoreButton of={list} />
        </>
      )}
    </Answer>
  )
}

function isToAll({ audience, channel, target }: Message): boolean {
  if (audience === 'public') return channel === 'default'
  return typeof target === 'object' && target !== null && Object.keys(target).length === 0
}
