import { Stack, Text } from '@mantine/core'
import type { Approval } from '@peyk/contract'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { titleOf } from '../messages/message-title.ts'
import { ApprovalBadge } from './ApprovalBadge.tsx'
import { useApprovals } from './queries.ts'

/** What waits for another member; nothing when there is none. */
export function WaitingApprovals() {
  const { approvals: texts } = useTexts()
  const rows = useApprovals().filter(({ state }) => state === 'waiting')
  if (rows.length === 0) return null
  return (
    <Panel flush title={texts.title} lead={texts.lead}>
      <Table label={texts.label} rows={rows} />
    </Panel>
  )
}

/** What was decided or lapsed lately; nothing when there is none. */
export function PastApprovals() {
  const { approvals: texts } = useTexts()
  const rows = useApprovals().filter(({ state }) => state !== 'waiting')
  if (rows.length === 0) return null
  return (
    <Panel flush title={texts.pastTitle} lead={texts.pastLead}>
      <Table label={texts.pastLabel} rows={rows} />
    </Panel>
  )
}

function Table({ label, rows }: { label: string; rows: readonly Approval[] }) {
  const { approvals: texts, messages } = useTexts()
  const format = useFormat()
  const go = useGo()
  const line = useStoredLine()
  const columns: Column<Approval>[] = [
    {
      key: 'message',
      label: messages.message,
      cell: ({ id, message, count, askedBy }) => (
        <Stack gap={0} miw={150}>
          <Text component="div" fw={600} size="sm" truncate {...line}>
            <AppLink to={`/approvals/${id}`} inherit>
              {titleOf(message) ?? messages.noText}
            </AppLink>
          </Text>
          <Text size="xs" c="dimmed">
            {messages.devices(count, format.number(count))}
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            <bdi>{askedBy}</bdi>
          </Text>
        </Stack>
      ),
    },
    {
      key: 'by',
      label: texts.by,
      isExtra: true,
      width: 220,
      cell: ({ askedBy, askedAt }) => (
        <Stack gap={0}>
          <Text size="sm" truncate>
            <bdi>{askedBy}</bdi>
          </Text>
          <Text size="xs" c="dimmed">
            {format.ago(askedAt)}
          </Text>
        </Stack>
      ),
    },
    {
      key: 'until',
      label: texts.until,
      isExtra: true,
      width: 190,
      cell: ({ lapsesAt }) => <Text size="sm">{format.moment(lapsesAt)}</Text>,
    },
    { key: 'state', label: texts.status, width: 140, cell: ({ state }) => <ApprovalBadge state={state} /> },
  ]
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      onRow={({ id }) => go(`/approvals/${id}`)}
    />
  )
}
