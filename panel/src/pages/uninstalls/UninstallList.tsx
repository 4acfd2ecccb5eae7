import { Badge, Button, Group, Text } from '@mantine/core'
import type { Uninstalls } from '@peyk/contract'
import { IconTrash } from '@tabler/icons-react'
import { AppLink } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Fault } from '../../parts/Fault.tsx'
import { Loading } from '../../parts/Loading.tsx'
import { Mono } from '../../parts/Mono.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { PlatformMark } from '../../parts/PlatformMark.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { DownloadButton } from '../../parts/tables/DownloadButton.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { type UninstallFilter, useUninstalls } from './queries.ts'

type Uninstall = Uninstalls['data'][number]

export function UninstallList({ filter }: { filter: UninstallFilter }) {
  const { uninstalls: t, common } = useTexts()
  const list = useUninstalls(filter)
  const columns = useColumns()
  return (
    <Panel
      title={t.list}
      flush
      actions={<DownloadButton path="/uninstalls" query={{ ...filter }} fileName="uninstalls" />}
    >
      {list.isError && <Fault error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading />}
      {list.data && (
        <DataTable
          label={t.list}
          columns={columns}
          rows={list.data}
          rowKey={({ installationId, time }) => `${installationId} ${time}`}
          empty={<EmptyState icon={IconTrash} title={t.none} text={t.noneText} />}
        />
      )}
      {list.hasNextPage && (
        <Group justify="center" p="md">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.more}
          </Button>
        </Group>
      )}
    </Panel>
  )
}

function useColumns(): Column<Uninstall>[] {
  const { uninstalls: t } = useTexts()
  const format = useFormat()
  return [
    {
      key: 'time',
      label: t.time,
      cell: ({ time }) => (
        <>
          <Text size="sm">{format.day(time)}</Text>
          <Text size="xs" c="dimmed">
            {format.clock(time)}
          </Text>
        </>
      ),
    },
    { key: 'platform', label: t.platform, cell: ({ deviceType }) => <PlatformMark deviceType={deviceType} /> },
    {
      key: 'user',
      label: t.user,
      width: '38%',
      cell: ({ userId, isChurn }) => (
        <Group gap="xs" miw={110}>
          <AppLink to={`/users/${encodeURIComponent(userId)}`} size="sm">
            <bdi>{userId}</bdi>
          </AppLink>
          {isChurn && (
            <Badge variant="light" color="gray" size="sm" style={{ flex: 'none' }}>
              {t.left}
            </Badge>
          )}
        </Group>
      ),
    },
    { key: 'device', label: t.device, isExtra: true, cell: ({ installationId }) => <Mono>{installationId}</Mono> },
  ]
}
