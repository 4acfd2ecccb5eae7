import { Text } from '@mantine/core'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink } from '../../parts/AppLink.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { EventData } from './EventData.tsx'
import { type ListedEvent, useLatestEvents } from './queries.ts'

export function LatestEvents({ name }: { name: string }) {
  const { events: t, overview } = useTexts()
  const format = useFormat()
  const latest = useLatestEvents(name)
  const columns: Column<ListedEvent>[] = [
    {
      key: 'time',
      label: t.time,
      cell: ({ eventTime }) => <span style={{ whiteSpace: 'nowrap' }}>{format.moment(eventTime)}</span>,
    },
    {
      key: 'user',
      label: t.user,
      cell: ({ userId }) => (
        <AppLink to={`/users/${encodeURIComponent(userId)}`} size="sm" miw={76} display="inline-block">
          <bdi>{userId}</bdi>
        </AppLink>
      ),
    },
    { key: 'data', label: t.data, cell: ({ eventData }) => <EventData data={eventData} /> },
    {
      key: 'revenue',
      label: overview.revenue,
      isNumber: true,
      cell: ({ revenue, currency }) =>
        revenue === undefined ? '' : format.money(revenue, (currency ?? '').toUpperCase()),
    },
  ]
  return (
    <Panel title={t.latest} flush>
      <Answer of={latest}>
        {({ data }) => (
          <DataTable
            label={t.latest}
            columns={data.some(({ revenue }) => revenue !== undefined) ? columns : columns.slice(0, 3)}
            rows={data}
            rowKey={({ id }) => id}
            empty={
              <Text c="dimmed" px="md" pb="md">
                {t.latestNone}
              </Text>
            }
          />
        )}
      </Answer>
    </Panel>
  )
}
