import { Box, Button, Group, Stack, Text } from '@mantine/core'
import type { SegmentRow } from '@peyk/contract'
import { IconFilter, IconPlus } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { AppLink, useGo, useLinkTo } from '../../parts/AppLink.tsx'
import { Sparkline } from '../../parts/charts/Sparkline.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { SegmentSentence } from '../../parts/segment-builder/SegmentSentence.tsx'
import { type Column, DataTable } from '../../parts/tables/DataTable.tsx'
import { SearchBox } from '../../parts/tables/SearchBox.tsx'
import { useFormat, useTexts } from '../../texts/LanguageProvider.tsx'
import { useSegments } from './queries.ts'

export function SegmentsPage() {
  const { segments: texts, shell } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const [{ search = '' }, change] = usePageSearch()
  const segments = useSegments()
  const create = (
    <Button leftSection={<IconPlus size={16} />} renderRoot={linkTo('/segments/new')}>
      {texts.new}
    </Button>
  )
  return (
    <>
      <PageHead title={shell.segments} lead={texts.lead} actions={may('edit-segments') && create} />
      <Answer of={segments}>
        {({ data }) => {
          if (data.length === 0) {
            return (
              <Panel>
                <EmptyState
                  icon={IconFilter}
                  title={texts.none}
                  text={texts.noneText}
                  action={may('edit-segments') && create}
                />
              </Panel>
            )
          }
          const wanted = search.toLowerCase()
          const found = data.filter(({ name }) => name.toLowerCase().includes(wanted))
          return (
            <Stack>
              <SearchBox
                label={texts.find}
                hint={texts.find}
                value={search}
                onChange={(text) => change({ search: text || undefined })}
              />
              <Panel flush>
                <SegmentTable rows={found} none={texts.noneFound(search)} />
              </Panel>
            </Stack>
          )
        }}
      </Answer>
    </>
  )
}

function SegmentTable({ rows, none }: { rows: SegmentRow[]; none: string }) {
  const { segments: texts, shell } = useTexts()
  const format = useFormat()
  const go = useGo()
  const columns: Column<SegmentRow>[] = [
    {
      key: 'name',
      label: texts.name,
      cell: (row) => (
        <Stack gap={2}>
          <AppLink to={`/segments/${row.id}`} fw={600}>
            {row.name}
          </AppLink>
          <Text size="sm" c="dimmed" lineClamp={2}>
            <SegmentSentence value={row.segment} />
          </Text>
        </Stack>
      ),
    },
    {
      key: 'size',
      label: texts.sizeHead,
      isNumber: true,
      cell: ({ sizes }) => {
        const last = sizes.at(-1)
        return (
          <Group gap="md" justify="flex-end" wrap="nowrap">
            {sizes.length > 1 && (
              <Box visibleFrom="sm">
                <Sparkline values={sizes.map(({ count }) => count)} width={72} />
              </Box>
            )}
            <Stack gap={0} align="flex-end">
              <Text fw={600} span>
                {last ? format.number(last.count) : '–'}
              </Text>
              {last && (
                <Text size="xs" c="dimmed" span title={texts.sizeLead}>
                  {last.countedAt === undefined
                    ? texts.asOf(format.day(last.day))
                    : texts.counted(format.ago(last.countedAt))}
                </Text>
              )}
            </Stack>
          </Group>
        )
      },
    },
    {
      key: 'changed',
      label: texts.changed,
      width: 150,
      isExtra: true,
      cell: ({ updatedAt }) => (
        <Text size="sm" c="dimmed" title={format.moment(updatedAt)}>
          {format.ago(updatedAt)}
        </Text>
      ),
    },
  ]
  return (
    <DataTable
      label={shell.segments}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      onRow={({ id }) => go(`/segments/${id}`)}
      empty={
        <Text c="dimmed" p="md">
          {none}
        </Text>
      }
    />
  )
}
