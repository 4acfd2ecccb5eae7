import { Group, Stack, Text } from '@mantine/core'
import type { EventDetail } from '@peyk/contract'
import { ShareBar } from '../../parts/charts/ShareBar.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'

type EventValue = EventDetail['values'][number]

/** What the event brings with it, as seen lately. */
export function EventValues({ event: { values, looked } }: { event: EventDetail }) {
  const { events: t } = useTexts()
  const format = useFormat()
  const columns: Column<EventValue>[] = [
    {
      key: 'name',
      label: t.valueName,
      cell: ({ name }) => (
        <Text fw={600} size="sm" miw={70}>
          <bdi>{name}</bdi>
        </Text>
      ),
    },
    { key: 'kind', label: t.kind, isExtra: true, cell: ({ kind }) => t.kinds[kind] ?? kind },
    {
      key: 'seen',
      label: t.seen,
      isNumber: true,
      isExtra: true,
      cell: ({ seen }) => format.percent(looked === 0 ? 0 : seen / looked),
    },
    { key: 'top', label: t.top, width: '55%', cell: (value) => <TopValues value={value} /> },
  ]
  return (
    <Panel title={t.values} lead={looked > 0 && t.valuesLead(format.number(looked))} flush>
      <DataTable
        label={t.values}
        columns={columns}
        rows={values}
        rowKey={({ name }) => name}
        empty={
          <Text c="dimmed" px="md" pb="md">
            {t.valuesNone}
          </Text>
        }
      />
    </Panel>
  )
}

function TopValues({ value: { top, seen, numbers } }: { value: EventValue }) {
  const { events: t } = useTexts()
  const format = useFormat()
  const isMany = numbers !== undefined && top.length > 5
  return (
    <Stack gap={4}>
      {numbers && (
        <Text size="sm">
          {t.range(format.number(numbers.min), format.number(numbers.average), format.number(numbers.max))}
        </Text>
      )}
      {!isMany &&
        top.slice(0, 5).map(({ value, count }) => (
          <Group key={value} gap="xs" wrap="nowrap">
            <Text size="sm" truncate dir="auto" style={{ flex: '1 1 0' }}>
              <bdi>{value}</bdi>
            </Text>
            <div style={{ flex: '1 1 0' }}>
              <ShareBar share={count / seen} />
            </div>
            <Text size="sm" c="dimmed" w={38} ta="end">
              {format.percent(Math.round((100 * count) / seen) / 100)}
            </Text>
          </Group>
        ))}
    </Stack>
  )
}
