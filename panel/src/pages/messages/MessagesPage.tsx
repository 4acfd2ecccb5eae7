import { Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { IconMessages, IconSearch, IconSend } from '@tabler/icons-react'
import { useApp } from '../../api/use-app.ts'
import { Answer } from '../../parts/Answer.tsx'
import { useLinkTo } from '../../parts/AppLink.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { usePageSearch } from '../../parts/hooks/use-page-search.ts'
import { PageHead } from '../../parts/PageHead.tsx'
import { Panel } from '../../parts/Panel.tsx'
import { StopAllButton } from '../../parts/stop-all/StopAllButton.tsx'
import { MoreButton } from '../../parts/tables/MoreButton.tsx'
import { SearchBox } from '../../parts/tables/SearchBox.tsx'
import { useTexts } from '../../texts/LanguageProvider.tsx'
import { PastApprovals, WaitingApprovals } from '../approvals/ApprovalTables.tsx'
import { SeriesTable } from '../series/SeriesTable.tsx'
import { MessageTable } from './MessageTable.tsx'
import type { ListWanted } from './merge-lines.ts'
import { useMessageLines } from './queries.ts'
import { ScheduledList } from './ScheduledList.tsx'

const kinds = ['all', 'group', 'personal'] as const

export function MessagesPage() {
  const { messages: texts, shell } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const [{ search = '', kind: named }, change] = usePageSearch()
  const kind = kinds.find((each) => each === named) ?? 'all'
  const isScheduled = named === 'scheduled'
  const send = may('send-to-one') && (
    <Button leftSection={<IconSend size={16} />} renderRoot={linkTo('/send', { new: 'yes' })}>
      {texts.send}
    </Button>
  )
  return (
    <>
      <PageHead
        title={shell.messages}
        lead={isScheduled ? texts.scheduled.lead : texts.lead}
        actions={
          <>
            <StopAllButton />
            {send}
          </>
        }
      />
      <Stack>
        <Group gap="sm">
          {!isScheduled && (
            <SearchBox
              label={texts.search}
              hint={texts.searchHint}
              value={search}
              onChange={(value) => change({ search: value })}
            />
          )}
          <SegmentedControl
            aria-label={texts.kind}
            data={[...kinds, 'scheduled' as const].map((value) => ({ value, label: texts.kinds[value] }))}
            value={isScheduled ? 'scheduled' : kind}
            onChange={(value) => change({ kind: value === 'all' ? undefined : value })}
          />
        </Group>
        {isScheduled && <WaitingApprovals />}
        {isScheduled && <SeriesTable />}
        <Panel flush>
          {isScheduled ? (
            <ScheduledList />
          ) : (
            <List wanted={{ search, kind }} onClear={() => change({ search: undefined, kind: undefined })} />
          )}
        </Panel>
        {isScheduled && <PastApprovals />}
      </Stack>
    </>
  )
}

function List({ wanted, onClear }: { wanted: ListWanted; onClear: () => void }) {
  const { messages: texts } = useTexts()
  const { may } = useApp()
  const linkTo = useLinkTo()
  const list = useMessageLines(wanted)
  const isNarrowed = wanted.search !== '' || wanted.kind !== 'all'
  const empty = isNarrowed ? (
    <EmptyState
      icon={IconSearch}
      title={texts.noneFound}
      text={texts.noneFoundText}
      action={
        <Button variant="default" onClick={onClear}>
          {texts.clear}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={IconMessages}
      title={texts.none}
      text={texts.noneText}
      action={may('send-to-one') && <Button renderRoot={linkTo('/send', { new: 'yes' })}>{texts.send}</Button>}
    />
  )
  return (
    <Answer of={list}>
      {({ pages }) => (
        <>
          <MessageTable rows={pages.flatMap(({ data }) => data)} empty={empty} />
          <MoreButton of={list} />
        </>
      )}
    </Answer>
  )
}
