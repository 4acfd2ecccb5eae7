import { Button, Center, Text, Tooltip } from '@mantine/core'
import type { PanelAuditEntry, Role } from '@peyk/contract'
import { IconHistory } from '@tabler/icons-react'
import { type Column, DataTable } from '../../parts/DataTable.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Loading } from '../../parts/Loading.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useAudit } from './queries.ts'

export function AuditSection() {
  const { settings, common } = useTexts()
  const words = settings.audit
  const format = useFormat()
  const audit = useAudit()
  const tell = useAuditWords()
  const columns: Column<PanelAuditEntry>[] = [
    {
      key: 'when',
      label: words.when,
      width: 150,
      cell: ({ at }) => (
        <Tooltip label={format.moment(at)}>
          <Text size="sm" span>
            {format.ago(at)}
          </Text>
        </Tooltip>
      ),
    },
    {
      key: 'what',
      label: words.what,
      cell: (entry) => (
        <Text size="sm" component="div">
          <Text span fw={600} size="sm">
            <bdi>{entry.email}</bdi>
          </Text>{' '}
          {tell(entry)}
        </Text>
      ),
    },
  ]
  return (
    <Panel title={words.title} lead={words.lead} flush>
      {audit.isError && <Fault error={audit.error} onRetry={() => void audit.refetch()} />}
      {audit.data === undefined && !audit.isError && <Loading rows={6} />}
      {audit.data && (
        <DataTable
          label={words.title}
          columns={columns}
          rows={audit.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          empty={<EmptyState icon={IconHistory} title={words.none} text={words.noneText} />}
        />
      )}
      {audit.hasNextPage && (
        <Center p="md">
          <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            {common.more}
          </Button>
        </Center>
      )}
    </Panel>
  )
}

/** An entry in plain words; its route where there are none. */
function useAuditWords(): (entry: PanelAuditEntry) => string {
  const { settings, common } = useTexts()
  const format = useFormat()
  return ({ action, subject = '', details = {} }) => {
    const say = settings.audit.actions[action]
    if (say === undefined) return [action, subject].filter(Boolean).join(' · ')
    const { name, email, role, count, origin } = details
    return say({
      subject,
      name: String(name ?? email ?? ''),
      role: common.roles[role as Role] ?? String(role ?? ''),
      count: format.number(Number(count ?? 0)),
      origin: String(origin ?? subject),
    })
  }
}
