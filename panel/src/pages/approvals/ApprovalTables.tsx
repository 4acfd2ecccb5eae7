import { Stack, Text } from '@mantine/core'
import type { Approval } from '@peyk/contract'
import { IconUserCheck } from '@tabler/icons-react'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { titleOf } from '../messages/message-title.ts'
import { ApprovalBadge } from './ApprovalBadge.tsx'
import { useApprovals } from './queries.ts'

/** What waits for another member, and what was decided lately. */
export function ApprovalTables() {
  const { approvals: texts } = useTexts()
  const approvals = useApprovals()
  const past = approvals.filter(({ state }) => state !== 'waiting')
  return (
    <>
      <Panel flush title={texts.title}>
        <Table label={texts.label} rows={approvals.filter(({ state }) => state === 'waiting')} />
      </Panel>
      {past.length > 0 && (
        <Panel flush title={texts.pastTitle}>
          <Table label={texts.pastLabel} rows={past} />
        </Panel>
      )}
    </>
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
      empty={<EmptyState icon={IconUserCheck} title={texts.none} text={texts.noneText} />}
    />
  )
}
