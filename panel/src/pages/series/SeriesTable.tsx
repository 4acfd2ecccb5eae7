import { Stack, Text } from '@mantine/core'
import type { SeriesLine } from '@peyk/contract'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { occursAt, useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { Panel } from '../../parts/Panel.tsx'
import { useRuleWords } from '../../parts/repeat/use-rule-words.ts'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { titleOf } from '../messages/message-title.ts'
import { useGoingSeries } from './queries.ts'
import { SeriesBadge } from './SeriesBadge.tsx'

/** Messages that repeat and have not ended; nothing when there are none. */
export function SeriesTable() {
  const { series: texts, messages } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const go = useGo()
  const line = useStoredLine()
  const say = useRuleWords()
  const rows = useGoingSeries()
  if (rows.length === 0) return null
  const columns: Column<SeriesLine>[] = [
    {
      key: 'message',
      label: messages.message,
      cell: (row) => (
        <Stack gap={0} miw={150}>
          <Text component="div" fw={600} size="sm" truncate {...line}>
            <AppLink to={`/series/${row.id}`} inherit>
              {titleOf(row.message) ?? messages.noText}
            </AppLink>
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {say(row.repeat, row.localTime ?? row.sendAt)}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'rule',
      label: texts.rule,
      isExtra: true,
      cell: (row) => <Text size="sm">{say(row.repeat, row.localTime ?? row.sendAt)}</Text>,
    },
    {
      key: 'next',
      label: texts.next,
      isExtra: true,
      width: 200,
      cell: ({ state, localTime, next: [first] }) =>
        state === 'active' &&
        first && (
          <Stack gap={0}>
            <Text size="sm">{sayWhen(occursAt(first.sendAt, localTime !== undefined))}</Text>
            <Text size="xs" c="dimmed">
              {format.ago(first.sendAt)}
            </Text>
          </Stack>
        ),
    },
    { key: 'state', label: texts.status, width: 120, cell: ({ state }) => <SeriesBadge state={state} /> },
  ]
  return (
    <Panel flush title={texts.title} lead={texts.lead}>
      <DataTable
        label={texts.label}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        onRow={({ id }) => go(`/series/${id}`)}
      />
    </Panel>
  )
}
