import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import type { FoundUser } from '@peyk/contract'
import { IconUsers } from '@tabler/icons-react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { PlatformMark } from '../../parts/PlatformMark.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { DownloadButton } from '../../parts/tables/DownloadButton.tsx'
import { SearchBox } from '../../parts/tables/SearchBox.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useFoundUsers } from './queries.ts'
import { TagBadge } from './TagBadge.tsx'

const most = 50

export function UsersPage() {
  const { users: texts, shell } = useTexts()
  const [{ search = '' }, change] = usePageSearch()
  const found = useFoundUsers(search)
  return (
    <>
      <PageHead
        title={shell.users}
        lead={texts.lead}
        actions={<DownloadButton path="/users" fileName="users" hasParquet />}
      />
      <Stack>
        <SearchBox
          label={texts.search}
          isLabelShown
          description={texts.searchHint}
          hint={texts.searchPlaceholder}
          value={search}
          onChange={(text) => change({ search: text || undefined })}
          maxLength={600}
          style={{ maxWidth: 560 }}
          dir="auto"
          autoFocus
        />
        <Answer of={found}>
          {({ data }) => (
            <Panel
              flush
              title={search === '' ? texts.recent : texts[data.length >= most ? 'foundMany' : 'found'](data.length)}
              {...(data.length >= most && search !== '' && { lead: texts.onlyFirst(most) })}
            >
              <div
                style={{ filter: found.isPlaceholderData ? 'grayscale(1)' : undefined }}
                aria-busy={found.isPlaceholderData}
              >
                <FoundTable rows={data} isSearch={search !== ''} />
              </div>
            </Panel>
          )}
        </Answer>
      </Stack>
    </>
  )
}

function FoundTable({ rows, isSearch }: { rows: FoundUser[]; isSearch: boolean }) {
  const { users: texts, shell } = useTexts()
  const go = useGo()
  const href = ({ userId }: FoundUser) => `/users/${encodeURIComponent(userId)}`
  const columns: Column<FoundUser>[] = [
    {
      key: 'user',
      label: texts.user,
      cell: (row) => (
        <Group gap="xs" miw={120}>
          <AppLink to={href(row)} fw={600}>
            <bdi>{row.userId}</bdi>
          </AppLink>
          {row.isGuest && <GuestBadge />}
          {isSearch && row.foundBy !== 'userId' && row.foundBy !== 'recent' && (
            <Badge variant="light" size="sm" tt="none">
              {texts.foundBy[row.foundBy]}
            </Badge>
          )}
          <Box hiddenFrom="sm" w="100%">
            <LastVisit at={row.lastVisitAt} />
          </Box>
        </Group>
      ),
    },
    {
      key: 'devices',
      label: texts.devices,
      cell: ({ deviceTypes }) => (
        <Group gap="sm">
          {deviceTypes.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.noDevice}
            </Text>
          ) : (
            deviceTypes.map((type) => <PlatformMark key={type} deviceType={type} />)
          )}
        </Group>
      ),
    },
    {
      key: 'tags',
      label: texts.tags,
      isExtra: true,
      cell: ({ tags }) => (
        <Group gap={4}>
          {tags.map((tag) => (
            <TagBadge key={tag.tag} tag={tag} />
          ))}
        </Group>
      ),
    },
    {
      key: 'visit',
      label: texts.lastVisit,
      width: 150,
      isExtra: true,
      cell: ({ lastVisitAt }) => <LastVisit at={lastVisitAt} />,
    },
  ]
  return (
    <DataTable
      label={shell.users}
      columns={columns}
      rows={rows}
      rowKey={({ userId }) => userId}
      onRow={(row) => go(href(row))}
      empty={
        <EmptyState
          icon={IconUsers}
          title={isSearch ? texts.noneFound : texts.none}
          text={isSearch ? texts.noneFoundText : texts.noneText}
        />
      }
    />
  )
}

function LastVisit({ at }: { at: number | undefined }) {
  const { users: texts } = useTexts()
  const format = useFormat()
  return (
    <Text size="sm" c="dimmed" {...(at !== undefined && { title: format.moment(at) })}>
      {at === undefined ? texts.never : format.ago(at)}
    </Text>
  )
}

export function GuestBadge() {
  const { users: texts } = useTexts()
  return (
    <Badge variant="default" size="sm" tt="none">
      {texts.guest}
    </Badge>
  )
}
