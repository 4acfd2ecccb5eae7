import { Button, Center, Text, Tooltip } from '@mantine/core'
import type { PanelAuditEntry, Role } from '@peyk/contract'
import { IconHistory } from '@tabler/icons-react'
import { AppLink } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { useSayWhen } from '../../parts/hooks/use-say-when.ts'
import { Loading } from '../../parts/Loading.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { subjectOf, wordingOf } from './audit-subject.ts'
import { useAudit } from './queries.ts'

export function AuditSection() {
  const { settings, common } = useTexts()
  const words = settings.audit
  const format = useFormat()
  const audit = useAudit()
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
            <bdi>{entry.isToken ? words.byToken(entry.email) : entry.email}</bdi>
          </Text>{' '}
          <AuditWords entry={entry} />
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

/** Stands in a sentence where its subject comes: Unicode's character for an object among words. */
const place = '\ufffc'

/** An entry in plain words; its route where there are none. */
function AuditWords({ entry }: { entry: PanelAuditEntry }) {
  const { settings, common } = useTexts()
  const format = useFormat()
  const sayWhen = useSayWhen()
  const { action, details = {} } = entry
  const { role, count, sendAt } = details
  const words = settings.audit.actions
  const say = words[wordingOf(entry)] ?? words[action] ?? (() => `${action} · ${place}`)
  const [before, ...rest] = say({
    subject: place,
    role: common.roles[role as Role] ?? String(role ?? ''),
    count: format.number(Number(count ?? 0)),
    when: sendAt === undefined ? '' : sayWhen(typeof sendAt === 'string' ? { local: sendAt } : sendAt),
  }).split(place)
  const { label, to } = subjectOf(entry)
  const named = <bdi title={entry.subject}>{label}</bdi>
  return (
    <>
      {before}
      {rest.length > 0 &&
        (to === undefined ? (
          named
        ) : (
          <AppLink to={to} size="sm">
            {named}
          </AppLink>
        ))}
      {rest}
    </>
  )
}
