import { Badge, Grid, Group, Text } from '@mantine/core'
import type { EventNames } from '@peyk/contract'
import { IconCoin, IconTimeline } from '@tabler/icons-react'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useGo } from '../../parts/AppLink.tsx'
import { Sparkline } from '../../parts/charts/Sparkline.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Explained } from '../../parts/Explained.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { Change } from '../../parts/numbers/Change.tsx'
import { changeOf } from '../../parts/numbers/measures.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import type { Column } from '../../parts/tables/DataTable.tsx'
import { DownloadButton } from '../../parts/tables/DownloadButton.tsx'
import { LongTable } from '../../parts/tables/LongTable.tsx'
import { SearchBox } from '../../parts/tables/SearchBox.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { EventTail } from './EventTail.tsx'
import { useEventNames } from './queries.ts'

type NamedEvent = EventNames['data'][number]

export function EventsPage() {
  const { events: t, shell } = useTexts()
  const [{ search: words = '' }, change] = usePageSearch()
  const names = useEventNames(words)
  return (
    <>
      <PageHead
        title={shell.events}
        lead={t.lead}
        actions={<DownloadButton path="/events" fileName="events" hasParquet />}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Panel flush>
            <Group p="md">
              <SearchBox
                label={t.find}
                hint={t.find}
                value={words}
                onChange={(text) => change({ search: text || undefined })}
              />
            </Group>
            <Answer of={names}>{(data) => <Names names={data} words={words} />}</Answer>
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <EventTail />
        </Grid.Col>
      </Grid>
    </>
  )
}

function Names({ names, words }: { names: EventNames; words: string }) {
  const { events: t } = useTexts()
  const format = useFormat()
  const go = useGo()
  const columns: Column<NamedEvent>[] = [
    {
      key: 'name',
      label: t.name,
      cell: ({ name, hasRevenue }) => (
        <Group gap="xs" wrap="nowrap">
          <AppLink to={`/events/${encodeURIComponent(name)}`} fw={600} size="sm">
            <bdi>{name}</bdi>
          </AppLink>
          {hasRevenue && <IconCoin size={16} aria-label={t.hasRevenue} role="img" color="var(--peyk-series-1)" />}
        </Group>
      ),
    },
    { key: 'trend', label: t.trend, width: 120, isExtra: true, cell: ({ counts }) => <Sparkline values={counts} /> },
    { key: 'count', label: t.count, isNumber: true, cell: ({ total }) => format.number(total) },
    {
      key: 'change',
      label: <Explained text={t.changeNote}>{t.change}</Explained>,
      isNumber: true,
      cell: ({ total, before }) =>
        before === 0 && total > 0 ? (
          <Badge variant="light" size="sm">
            {t.isNew}
          </Badge>
        ) : (
          <Change share={changeOf({ now: total, before })} />
        ),
    },
  ]
  return (
    <>
      <LongTable
        label={t.name}
        columns={columns}
        rows={names.data}
        rowKey={({ name }) => name}
        onRow={({ name }) => go(`/events/${encodeURIComponent(name)}`)}
        empty={<EmptyState icon={IconTimeline} title={t.none} text={words === '' ? t.noneText : t.noneFound(words)} />}
      />
      {names.isCut && (
        <Text size="sm" c="dimmed" p="md">
          {t.isCut(format.number(names.data.length))}
        </Text>
      )}
    </>
  )
}
