import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { CampaignLine } from '@peyk/contract'
import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Explained } from '../../parts/Explained.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { Mono } from '../../parts/Mono.tsx'
import { openShare } from '../../parts/numbers/measures.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { SearchBox } from '../../parts/tables/SearchBox.tsx'
import { useStoredLine } from '../../parts/tables/use-stored-line.ts'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { Revenue } from '../messages/detail/Revenue.tsx'
import { CreateCampaign } from './CreateCampaign.tsx'
import { useCampaignLines } from './queries.ts'

export function CampaignsPage() {
  const { campaigns: texts, shell } = useTexts()
  const { may } = useApp()
  const [{ search = '' }, change] = usePageSearch()
  const [isCreating, creating] = useDisclosure()
  const list = useCampaignLines(search)
  const create = may('edit-campaigns') && (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      {texts.new}
    </Button>
  )
  const empty =
    search === '' ? (
      <EmptyState icon={IconSpeakerphone} title={texts.none} text={texts.noneText} action={create} />
    ) : (
      <Text c="dimmed" p="md">
        {texts.noneFound(search)}
      </Text>
    )
  return (
    <>
      <PageHead title={shell.campaigns} lead={texts.lead} actions={create} />
      <Stack>
        <Group>
          <SearchBox
            label={texts.search}
            hint={texts.searchHint}
            value={search}
            onChange={(value) => change({ search: value })}
          />
        </Group>
        <Panel flush>
          <Answer of={list}>
            {({ pages }) => (
              <div data-counted={pages[0]?.at}>
                <CampaignTable rows={pages.flatMap(({ data }) => data)} empty={empty} />
                <MoreButton of={list} />
              </div>
            )}
          </Answer>
        </Panel>
      </Stack>
      <CreateCampaign isOpen={isCreating} onClose={creating.close} />
    </>
  )
}

function CampaignTable({ rows, empty }: { rows: CampaignLine[]; empty: React.ReactNode }) {
  const { campaigns: texts, messages, shell } = useTexts()
  const format = useFormat()
  const go = useGo()
  const line = useStoredLine()
  const pathOf = (trackId: string) => `/campaigns/${encodeURIComponent(trackId)}`
  const columns: Column<CampaignLine>[] = [
    {
      key: 'name',
      label: texts.name,
      cell: ({ trackId, name }) => (
        <Stack gap={2}>
          <AppLink to={pathOf(trackId)} fw={600} size="sm" lineClamp={2} {...line}>
            {name}
          </AppLink>
          {name !== trackId && (
            <Text size="xs" c="dimmed">
              <Mono>{trackId}</Mono>
            </Text>
          )}
        </Stack>
      ),
    },
    {
      key: 'messages',
      label: texts.messages,
      isNumber: true,
      isExtra: true,
      cell: ({ messages, isMore }) => {
        const count = format.number(messages)
        return isMore ? texts.moreThan(count) : count
      },
    },
    {
      key: 'count',
      label: <Explained text={texts.countHint}>{texts.count}</Explained>,
      isNumber: true,
      isExtra: true,
      cell: ({ count }) => format.number(count),
    },
    {
      key: 'opened',
      label: <Explained text={texts.openedHint}>{messages.opened}</Explained>,
      isNumber: true,
      cell: ({ states }) => {
        const share = openShare(states)
        return share === undefined ? '–' : format.percent(share)
      },
    },
    {
      key: 'revenue',
      label: texts.revenue,
      isNumber: true,
      cell: ({ influenced }) => <Revenue amounts={influenced.revenue} />,
    },
    {
      key: 'codes',
      label: texts.codesLeft,
      isNumber: true,
      isExtra: true,
      cell: ({ codesLeft, isLow }) =>
        codesLeft === undefined ? (
          '–'
        ) : (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            {isLow && (
              <Badge variant="dot" color="orange" tt="none">
                {texts.low}
              </Badge>
            )}
            {format.number(codesLeft)}
          </Group>
        ),
    },
    {
      key: 'last',
      label: texts.last,
      width: 150,
      isExtra: true,
      cell: ({ lastMessageAt }) => (
        <Text size="sm" c="dimmed" title={lastMessageAt === undefined ? '' : format.moment(lastMessageAt)}>
          {lastMessageAt === undefined ? texts.never : format.ago(lastMessageAt)}
        </Text>
      ),
    },
  ]
  return (
    <DataTable
      label={shell.campaigns}
      columns={columns}
      rows={rows}
      rowKey={({ trackId }) => trackId}
      onRow={({ trackId }) => go(pathOf(trackId))}
      empty={empty}
    />
  )
}
